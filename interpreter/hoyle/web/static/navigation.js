// Which page is shown, and the token or number in its address. A published file has another module with the same functions.

/** Before the names of what the browser keeps: files that are opened from disk share its storage. */
export const scope = "";

/** The part of the address after `#`. */
export const getToken = () => location.hash.slice(1);

export const goTo = (page, token) => location.assign(`${page}.html#${token}`);

/** Stay on this page, with another token. */
export const replaceToken = (token) => (location.hash = token);
