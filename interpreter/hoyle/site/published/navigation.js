// Which page of a published file is shown. The document around the page keeps it in its own address.

const shell = window.parent;

export const { scope } = shell;

export const getToken = () => shell.getToken();

export const goTo = (page, token) => shell.goTo(page, token);

export const replaceToken = (token) => shell.goTo("table", token);

/** Links lead to other pages of the file, or to the rulebook. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || link.download || event.defaultPrevented) return;
  event.preventDefault();
  const address = link.getAttribute("href");
  const [, page, token] = address.match(/^([a-z]+)\.html(?:#(.*))?$/) ?? [];
  if (page) goTo(page, token ?? "");
  else shell.openBook(address);
});
