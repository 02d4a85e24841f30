/** Stands where the browser knows the words and the build does not: boot.js puts them there. */
export const PLACEHOLDERS = { account: '[[account]]', notice: '[[notice]]' }

/** A place for words of the browser, and what it says without them. `bdi`, because the design has no rules for it. */
export const placeFor = (what: string, otherwise = ''): string => `<bdi data-say="${what}">${otherwise}</bdi>`
