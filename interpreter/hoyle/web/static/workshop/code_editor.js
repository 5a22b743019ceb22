// The editor of the ruleset with CodeMirror. It lives in a shadow root, where CodeMirror adopts style sheets instead of writing
// style elements, which the page's policy forbids. Colours are the server's marks.

import { el } from "../dom.js";
import { t } from "../translation.js";
import { LOOK } from "./code_look.js";
import { parseMarkdown } from "./markdown.js";

export class CodeEditor {
  constructor(place, host, parts) {
    this.host = host;
    this.parts = parts;
    this.marks = createMarkField(parts);
    this.labels = new parts.Compartment();
    const root = place.attachShadow({ mode: "open" });
    this.view = new parts.EditorView({ state: this.createState(""), parent: root, root });
  }

  createState(doc) {
    const { EditorView, keymap, ...parts } = this.parts;
    const heard = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.host.changed();
      if (update.docChanged || update.selectionSet) this.host.moved();
    });
    const extensions = [
      parts.lineNumbers(),
      parts.lintGutter(),
      parts.history(),
      parts.drawSelection(),
      parts.bracketMatching(),
      parts.highlightActiveLine(),
      parts.highlightSelectionMatches(),
      parts.search({ top: true }),
      parts.indentUnit.of("  "),
      parts.EditorState.tabSize.of(2),
      parts.tooltips({ position: "fixed" }),
      parts.autocompletion({ override: [(context) => this.complete(context)] }),
      parts.hoverTooltip((_, at) => this.hover(at)),
      keymap.of([...parts.completionKeymap, ...parts.lintKeymap, ...parts.searchKeymap, ...parts.historyKeymap, ...parts.defaultKeymap]),
      EditorView.lineWrapping,
      EditorView.theme(LOOK),
      this.marks.field,
      this.labels.of(this.describe()),
      heard,
    ];
    return parts.EditorState.create({ doc, extensions });
  }

  describe() {
    const phrases = this.parts.EditorState.phrases.of(translatePhrases());
    const attributes = this.parts.EditorView.contentAttributes.of({ "aria-label": t("ruleset_text"), spellcheck: "false", tabindex: "0" });
    return [phrases, attributes];
  }

  retranslate() {
    this.view.dispatch({ effects: this.labels.reconfigure(this.describe()) });
  }

  // ---- the text ----

  get text() {
    return this.view.state.doc.toString();
  }

  get cursor() {
    return this.view.state.selection.main.head;
  }

  /** Replace everything. What was before cannot be undone. */
  setText(text) {
    this.view.setState(this.createState(text));
    this.host.moved();
  }

  /** Make edits in one step. The cursor goes behind the last one. */
  applyEdits(edits) {
    const changes = edits.map(({ from, to, text }) => ({ from, to, insert: text }));
    const last = edits.reduce((far, edit) => (edit.from > far.from ? edit : far));
    const change = this.view.state.changes(changes);
    this.view.dispatch({ changes: change, selection: { anchor: change.mapPos(last.to, 1) }, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  goTo(from, to = from) {
    const most = this.view.state.doc.length;
    const [anchor, head] = [Math.min(from, most), Math.min(to, most)];
    this.view.dispatch({ selection: { anchor, head }, effects: this.parts.EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  focus() {
    this.view.focus();
  }

  // ---- what the server says about it ----

  showProblems(problems) {
    const most = this.view.state.doc.length;
    const shown = problems.map((problem) => ({
      from: Math.min(problem.from, most),
      to: Math.min(Math.max(problem.to, problem.from), most),
      severity: problem.severity === "error" ? "error" : "warning",
      message: [problem.message, problem.help].filter(Boolean).join("\n"),
      actions: problem.fixes.map((fix) => ({ name: fix.title, apply: () => this.applyEdits(fix.edits) })),
    }));
    this.view.dispatch(this.parts.setDiagnostics(this.view.state, shown));
  }

  showMarks(marks) {
    this.view.dispatch({ effects: this.marks.effect.of(marks) });
  }

  async complete(context) {
    const word = context.matchBefore(/[\w-]+/u);
    if (!word && !context.explicit && !context.matchBefore(/[.:] $|\.$/)) return null;
    const found = await this.host.complete(context.pos);
    if (!found?.items?.length || context.aborted) return null;
    const options = found.items.map((item, n) => ({ label: item.label, detail: item.detail || undefined, info: item.meaning || undefined, apply: item.insert ?? item.label, type: item.kind, boost: -n / found.items.length }));
    return { from: found.from, options, validFor: /^[\w-]*$/u };
  }

  async hover(at) {
    const found = await this.host.hover(at);
    if (!found?.text) return null;
    return { pos: found.from, end: found.to, create: () => ({ dom: el("div", { className: "meaning" }, ...parseMarkdown(found.text)) }) };
  }
}

/** The field of the state that holds the coloured words. They move with the text until the next answer. */
function createMarkField({ Decoration, EditorView, StateEffect, StateField }) {
  const effect = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
      const fresh = transaction.effects.find((one) => one.is(effect));
      return fresh ? toDecorations(Decoration, fresh.value, transaction.newDoc.length) : marks.map(transaction.changes);
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  return { field, effect };
}

function toDecorations(Decoration, marks, most) {
  const named = marks.filter(([from, to, name]) => from < to && to <= most && /^[\w -]+$/.test(name));
  return Decoration.set(named.map(([from, to, name]) => Decoration.mark({ class: `mark-${name.replaceAll(" ", " mark-")}` }).range(from, to)), true);
}

/** CodeMirror's own words, by the English ones. */
const translatePhrases = () => ({
  Find: t("find"),
  Replace: t("replace_by"),
  next: t("find_next"),
  previous: t("find_previous"),
  all: t("find_all"),
  replace: t("replace"),
  "replace all": t("replace_all"),
  "match case": t("match_case"),
  "by word": t("whole_words"),
  regexp: t("pattern"),
  close: t("close"),
  Completions: t("completions"),
});
