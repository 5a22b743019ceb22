"use strict";

const { languages, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** A ruleset, a library or a file of words says so in a line of its own. */
const OURS = /^(?:ruleset|library|words) *:/m;
let client;

async function recognise(document) {
  if (document.languageId === "yaml" && OURS.test(document.getText())) {
    await languages.setTextDocumentLanguage(document, "hoyle");
  }
}

async function activate(context) {
  const [command, ...args] = workspace.getConfiguration("hoyle").get("command");
  client = new LanguageClient("hoyle", "Hoyle", { command, args }, { documentSelector: [{ language: "hoyle" }] });
  context.subscriptions.push(workspace.onDidOpenTextDocument(recognise));
  await Promise.all(workspace.textDocuments.map(recognise));
  await client.start();
}

function deactivate() {
  return client === undefined ? undefined : client.stop();
}

module.exports = { activate, deactivate };
