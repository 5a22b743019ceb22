// The workshop: the text of a ruleset, the table that plays it, and what both show.

import { $, $$, announce, bindCloseButtons } from "../dom.js";
import { createLink } from "../links.js";
import { initPage, settings } from "../settings.js";
import { t } from "../translation.js";
import { Comparison } from "./comparison.js";
import { CoverageList } from "./coverage_list.js";
import { chooseSeed, createDraft, findName, loadCurrentDraft, removeUnchangedDrafts, saveDraft } from "./draft_store.js";
import { ExampleList } from "./example_list.js";
import { bindFiles, readFile, saveFile } from "./files.js";
import { OptionForm, writeValues } from "./option_form.js";
import { BookView, PassageView } from "./passage_view.js";
import { PlayArea } from "./play_area.js";
import { PositionDialog } from "./position_dialog.js";
import { ProblemList } from "./problem_list.js";
import { ask, debounce, LatestRequest } from "./requests.js";
import { computeChecksum, decodeFragment, encodeDraft } from "./share_link.js";
import { fetchVariant, StartDialog } from "./start_dialog.js";
import { Tabs } from "./tabs.js";
import { createEditor } from "./text_editor.js";

const [TYPING, SAVING, READING, RETRY] = [120, 300, 250, 2000];

class Workshop {
  constructor() {
    this.draft = null;
    this.isSound = false;
    const goTo = (from, to) => this.goTo(from, to);
    this.checks = new LatestRequest("check");
    this.examples = new ExampleList(goTo);
    this.coverage = new CoverageList(goTo);
    this.passage = new PassageView();
    this.book = new BookView({ goTo, copyEntry: (section, entry) => this.copyEntry(section, entry) });
    this.options = new OptionForm({ changed: (values) => this.setOptions(values), goTo, write: (values) => this.writeOptions(values) });
    this.play = new PlayArea({
      describe: () => this.describe(),
      moved: (moves) => this.noteMoves(moves),
      seeded: (seed) => this.setSeed(seed),
      seated: (others) => (this.draft.others = others),
      dropped: (file) => this.openFile(file),
    });
    this.comparison = new Comparison(() => this.describeChange());
    this.position = new PositionDialog({
      describe: () => ({ ...this.describe(), moves: this.play.moves }),
      applyEdits: (edits) => this.editText(edits),
      goTo,
    });
    this.startDialog = new StartDialog({ start: (text) => this.open(createDraft(text)), resume: (draft) => this.open(draft) });
    this.checkLater = debounce(TYPING, () => this.check());
    this.retryLater = debounce(RETRY, () => this.check());
    this.saveLater = debounce(SAVING, () => this.save());
    this.readLater = debounce(READING, () => this.updatePassage());
    this.rulesTabs = new Tabs($("#rules-tabs"), () => this.updatePanels());
    this.checksTabs = new Tabs($("#checks-tabs"), () => this.updatePanels());
    this.bind();
  }

  bind() {
    const on = (id, work) => $(id).addEventListener("click", work);
    on("#begin", () => this.startDialog.open(this.draft?.id));
    on("#open-file", () => $("#file").click());
    on("#save-file", () => this.saveAsFile());
    on("#share", () => this.share());
    on("#claim", () => this.position.open(this.play.table?.moves ?? []));
    on("#mark-before", () => this.markBefore());
    for (const button of $$("#areas button")) button.addEventListener("click", () => this.showArea(button.dataset.area));
    bindFiles($("#file"), (file) => this.openFile(file));
    window.addEventListener("pagehide", () => this.save());
    window.addEventListener("hashchange", () => this.openLink());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      this.saveAsFile();
    });
  }

  async start() {
    const editor = await createEditor($("#editor"), {
      changed: () => this.noteChange(),
      moved: () => this.readLater(),
      complete: (at) => ask("complete", { ...this.describeText(), at }).catch(() => null),
      hover: (at) => ask("hover", { ...this.describeText(), at }).catch(() => null),
    });
    this.editor = editor;
    this.problems = new ProblemList(editor);
    if (await this.openLink()) return;
    const draft = loadCurrentDraft();
    if (draft) this.open(draft);
    else this.startDialog.open();
  }

  // ---- drafts ----

  open(draft) {
    if (this.draft) this.save();
    this.draft = draft;
    this.isSound = false;
    this.comparison.stop();
    this.play.begin(draft);
    this.examples.show([]);
    this.problems.show([]);
    $("#comparison").replaceChildren();
    $("#compare-note").textContent = "";
    this.editor.setText(draft.text);
    this.save();
    removeUnchangedDrafts(draft.id);
    this.check();
  }

  async openFile(file) {
    this.open(createDraft(await readFile(file)));
  }

  /** Open the ruleset that the address carries, and take it out of the address. Returns false if there is none. */
  async openLink() {
    const link = location.hash;
    try {
      const found = await decodeFragment(link);
      if (!found) return false;
      const [known, own] = [loadCurrentDraft(), computeChecksum(link)];
      this.open(known?.link === own ? known : { ...createDraft(found.text, found), link: own }); // after a reload the draft goes on
    } catch {
      this.startDialog.open(this.draft?.id, t("damaged_link"));
    }
    history.replaceState(null, "", location.pathname + location.search);
    return true;
  }

  save() {
    if (!this.draft) return;
    const isSaved = saveDraft(this.draft);
    $("#unsaved").hidden = isSaved;
  }

  get name() {
    return findName(this.draft.text);
  }

  describeText() {
    return { name: this.name, text: this.editor.text };
  }

  describe() {
    return { ...this.describeText(), options: this.draft.options, seed: this.draft.seed };
  }

  describeChange() {
    const { text, options, before, beforeOptions, seed } = this.draft;
    return { before: { name: findName(before), text: before, options: beforeOptions }, after: { name: this.name, text, options }, seed };
  }

  /** Changes are compared with the text as it is now. */
  markBefore() {
    Object.assign(this.draft, { before: this.draft.text, beforeOptions: { ...this.draft.options } });
    this.save();
    $("#comparison").replaceChildren();
    $("#compare-note").textContent = t("marked_before");
  }

  saveAsFile() {
    if (!this.draft) return;
    saveFile(`${this.name}.yaml`, this.draft.text);
    announce(t("saved_as", { name: `${this.name}.yaml` }));
  }

  async share() {
    if (!this.draft) return;
    const address = new URL(`workshop.html#${await encodeDraft(this.draft)}`, location.href);
    $("#share-link").replaceChildren(createLink(this.draft.title || this.name, address.href));
    $("#share-dialog").showModal();
  }

  // ---- checking ----

  noteChange() {
    if (!this.draft || this.editor.text === this.draft.text) return;
    Object.assign(this.draft, { text: this.editor.text, changed: Date.now() });
    this.showStatus(t("checking"));
    this.checkLater();
    this.saveLater();
  }

  showStatus(text, kind = "") {
    $("#check-status").textContent = text;
    $("#check-status").className = kind;
  }

  async check() {
    if (!this.draft) return;
    const asked = { ...this.describeText(), options: this.draft.options };
    try {
      const found = await this.checks.ask(asked);
      if (found && asked.text === this.editor.text) this.show(found, asked);
    } catch (error) {
      this.showStatus(error.message, "failed");
      this.retryLater();
    }
  }

  show(found, asked) {
    const { problems, title } = found;
    this.isSound = found.ok;
    this.problems.show(problems);
    this.editor.showProblems(problems);
    this.editor.showMarks(found.marks ?? []);
    const errors = problems.filter((one) => one.severity === "error").length;
    this.showStatus(errors ? t("errors", { count: errors }) : problems.length ? t("warnings", { count: problems.length }) : t("no_problem"), errors ? "failed" : "passed");
    $("#file-name").textContent = `${this.name}.yaml`;
    if (title) this.showTitle(title);
    if (!found.ok) {
      this.showOlder();
      return;
    }
    this.play.noteSeats(found.seats);
    this.options.show([...describePlayers(found.players), ...found.options], this.draft.options);
    this.draft.options = this.options.values;
    this.updateAll(asked);
  }

  /** Set up the table first, because it is looked at most. */
  async updateAll(asked) {
    await this.play.setUp();
    if (asked.text !== this.editor.text) return;
    this.updatePanels();
    await this.examples.update(asked).catch((error) => this.showStatus(error.message, "failed"));
  }

  showTitle(title) {
    this.draft.title = title;
    $("#title").textContent = title;
    document.title = `${title} – ${t("workshop")}`;
    this.saveLater();
  }

  /** The text has errors: everything else still shows the rules before them. */
  showOlder() {
    this.examples.markStale();
    this.play.showNote(this.play.table ? t("table_is_older") : t("table_waits"));
  }

  // ---- panels ----

  updatePanels() {
    if (!this.draft) return;
    const [rules, checks] = [this.rulesTabs.current, this.checksTabs.current];
    if (!this.isSound) {
      for (const place of [$("#book"), $("#passage"), $("#coverage-note")]) if (!place.hasChildNodes()) place.textContent = t("after_errors");
      return;
    }
    const report = (place) => (error) => ($(place).textContent = error.message);
    if (rules === "book") this.book.update(this.describe()).catch(report("#book"));
    if (checks === "coverage") this.coverage.update(this.describe(), this.play.moves).catch(report("#coverage-note"));
    if (checks === "passage") this.updatePassage();
  }

  updatePassage() {
    if (!this.draft || !this.isSound || this.checksTabs.current !== "passage") return;
    this.passage.update(this.describe(), this.editor.cursor).catch((error) => ($("#passage").textContent = error.message));
  }

  goTo(from, to) {
    this.showArea("rules");
    this.rulesTabs.open("text");
    this.editor.goTo(from, to);
  }

  /** Write a copy of an inherited entry into the text, to be changed there. */
  async copyEntry(section, entry) {
    const found = await ask("override", { ...this.describeText(), section, entry }).catch((error) => ({ why: error.message }));
    if (found.edits) {
      this.editText(found.edits);
      this.goTo(found.at);
    } else this.showStatus(found.why ?? t("cannot_copy"), "failed");
  }

  editText(edits) {
    this.showArea("rules");
    this.rulesTabs.open("text");
    this.editor.applyEdits(edits);
  }

  /** In a narrow window one area is shown at a time. */
  showArea(area) {
    document.body.dataset.area = area;
    for (const button of $$("#areas button")) button.ariaPressed = String(button.dataset.area === area);
  }

  // ---- the table ----

  noteMoves(moves) {
    this.draft.moves = moves;
    this.saveLater();
    this.updatePanels();
  }

  /** Deal again; null: by another seed. */
  setSeed(seed) {
    this.draft.seed = seed ?? chooseSeed();
    this.save();
    this.play.setUp([]);
  }

  setOptions(values) {
    const isOther = values.players !== this.draft.options.players;
    this.draft.options = values;
    this.save();
    if (isOther) {
      this.check(); // there are other seats
      return;
    }
    this.play.setUp();
    this.updatePanels();
  }

  /** Write the chosen values into the text of a variant: of this one, or of a new one. */
  async writeOptions(values) {
    if (!this.startDialog.shelf) await this.startDialog.load();
    const isOriginal = this.draft.text === this.draft.before && this.startDialog.isShipped(this.name);
    const text = isOriginal ? await fetchVariant(this.name) : this.editor.text;
    const edits = writeValues(text, values);
    if (!edits) {
      $("#options-note").textContent = t("cannot_write");
      announce(t("cannot_write"));
    } else if (isOriginal) {
      this.open(createDraft(text, { seed: this.draft.seed }));
      this.editText(edits);
    } else {
      this.draft.options = {};
      this.editText(edits);
    }
  }

  retranslate() {
    if (!this.draft) return;
    if (this.draft.title) this.showTitle(this.draft.title);
    this.editor.retranslate();
    this.startDialog.shelf = null;
    $("#begin-games").replaceChildren();
    this.book.shown = "";
    this.play.refresh();
    this.check();
  }
}

/** The number of players as an option, if there is a choice. */
function describePlayers([low, high, value]) {
  return low === high ? [] : [{ name: "players", label: t("number_of_players"), value, low, high }];
}

for (const dialog of $$("dialog")) bindCloseButtons(dialog);
const workshop = new Workshop();
await initPage(() => workshop.retranslate());
await workshop.start();
