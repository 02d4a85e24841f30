const APP_FILES = /\s*<(?:link rel="(?:modulepreload|stylesheet)"[^>]*>|script type="module"[^>]*><\/script>)/g
const ENTRY = /<script type="module" crossorigin src="([^"]*)">/
const BEFORE_BOOT = /(?=<script>)/

/**
 * The files of the app move into a template that boot.js opens: a browser looks ahead for what to fetch, and on a device with the
 * app in its cache they would all be there, read and run before the first frame. `expect` keeps it from painting the empty page
 * that it has when it rests in the middle of the HTML.
 * @throws Error when the page has no entry, or nothing that opens the template.
 */
export function deferAppFiles(page: string): string {
  const [, entry] = ENTRY.exec(page) ?? []
  if (entry === undefined || !BEFORE_BOOT.test(page))
    throw new Error('the page has no entry, or no script of its own before it')
  const files = (page.match(APP_FILES) ?? []).map((tag) => tag.trim())
  const entryAhead = `<link rel="modulepreload" crossorigin href="${entry}">`
  const held = `<template id="app">${[entryAhead, ...files].join('')}</template>`
  const expected = '<link rel="expect" href="#root" blocking="render">'
  return page.replaceAll(APP_FILES, '').replace(BEFORE_BOOT, () => `${expected}\n    ${held}\n    `)
}
