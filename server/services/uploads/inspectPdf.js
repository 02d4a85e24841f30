/** @import { PDFDocument as Pdf, PDFObject } from '@cantoo/pdf-lib' */

import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

// `validatePdf` starts this program for each file. The program reads a PDF from stdin and writes a PdfVerdict to stdout. It is JavaScript, because
// loading a TypeScript compiler would take longer than all its work.

// `require`, because the 192 ES modules of the library take twice as long to load as the same files in CommonJS.
/** @type {typeof import('@cantoo/pdf-lib')} */
const { PDFArray, PDFDict, PDFDocument, PDFName, PDFRef, PDFStream } = createRequire(import.meta.url)('@cantoo/pdf-lib')

/** Keys of entries that run something, open a connection, or contain another file. */
const ACTIVE_KEYS = new Set(['AA', 'EF', 'EmbeddedFiles', 'JavaScript', 'JS', 'RichMediaContent', 'XFA'])

/** Keys that name the kind of an object. */
const KIND_KEYS = new Set(['S', 'Type', 'Subtype'])

/** Forbidden kinds of objects. A link that a person clicks is allowed. */
const ACTIVE_KINDS = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'EmbeddedFile',
  'FileAttachment',
  'RichMedia',
  'RichMediaExecute',
])

/** Keys of dictionaries in which every key is a name that the author of the file chose, for example of a font or a picture. */
const FREE_KEY_DICTIONARIES = new Set([
  'CharProcs',
  'ClassMap',
  'ColorSpace',
  'Dests',
  'ExtGState',
  'Font',
  'Pattern',
  'Properties',
  'RoleMap',
  'Shading',
  'XObject',
])

/** Printing to a new PDF removes most of the refused content. */
const REPRINT = 'Open it and print it to a new PDF'

/**
 * Checks every object of the file, including those packed into streams.
 * @param {Buffer} bytes
 * @returns {Promise<import('./validatePdf.ts').PdfVerdict>}
 */
async function inspectPdf(bytes) {
  try {
    const document = await PDFDocument.load(bytes, {
      ignoreEncryption: true,
      throwOnInvalidObject: true,
      updateMetadata: false,
      preserveXFA: true,
    })
    if (document.isEncrypted)
      return { fault: 'must not be protected. Save it without a password and without restrictions' }
    const pages = document.getPageCount()
    if (pages === 0) return { fault: 'has no pages' }
    const active = { fault: `must not contain scripts, actions or other files. ${REPRINT}` }
    return isActive(document, bytes) ? active : { pages }
  } catch {
    return { fault: `is damaged. ${REPRINT}` }
  }
}

/** @type {(document: Pdf, bytes: Buffer) => boolean} */
const isActive = (document, bytes) => opensSomething(document) || hasActiveObject(document) || containsActiveText(bytes)

/**
 * True when opening the file does something. Going to one of its pages is harmless, and common; any other action is not.
 * @param {Pdf} document
 */
function opensSomething({ catalog }) {
  const action = catalog.lookup(PDFName.of('OpenAction'))
  if (!(action instanceof PDFDict)) return false
  return action.lookup(PDFName.of('S')) !== PDFName.of('GoTo') || action.has(PDFName.of('Next'))
}

/**
 * True when an object does something. An object is judged by the keys that refer to it. A name that is an object of its own is refused if it is a
 * forbidden kind, because another object may refer to it as its kind.
 * @param {Pdf} document
 */
function hasActiveObject({ context }) {
  const objects = context.enumerateIndirectObjects()
  /** @type {KeysTo} */
  const keysTo = new Map()
  for (const [, object] of objects) noteReferences(object, '', keysTo)
  return objects.some(([reference, object]) => {
    const keys = [...(keysTo.get(reference) ?? [''])]
    return (
      isActiveName(object) ||
      hasActiveContent(object, (keys.every((key) => FREE_KEY_DICTIONARIES.has(key)) && keys[0]) || '')
    )
  })
}

/** @typedef {Map<PDFObject, Set<string>>} KeysTo */

/**
 * Adds to `keysTo` the keys under which each object is referred to.
 * @type {(object: PDFObject, key: string, keysTo: KeysTo) => void}
 */
function noteReferences(object, key, keysTo) {
  if (object instanceof PDFRef) keysTo.set(object, (keysTo.get(object) ?? new Set()).add(key))
  else if (object instanceof PDFArray) object.asArray().forEach((one) => noteReferences(one, '', keysTo))
  else if (object instanceof PDFStream) noteReferences(object.dict, key, keysTo)
  else if (object instanceof PDFDict) {
    const isNamedFreely = FREE_KEY_DICTIONARIES.has(key)
    for (const [name, value] of object.entries()) noteReferences(value, isNamedFreely ? '' : name.decodeText(), keysTo)
  }
}

/**
 * True when `object`, found under `key`, does something. A name counts only under a key of
 * KIND_KEYS, because elsewhere it may be any word. References are not followed, because their objects are checked on their own.
 * @type {(object: PDFObject, key: string) => boolean}
 */
function hasActiveContent(object, key) {
  if (object instanceof PDFArray) return object.asArray().some((one) => hasActiveContent(one, ''))
  if (object instanceof PDFStream) return hasActiveContent(object.dict, key)
  if (!(object instanceof PDFDict)) return false
  if (FREE_KEY_DICTIONARIES.has(key)) return object.values().some((value) => hasActiveContent(value, ''))
  return object.entries().some(([name, value]) => {
    const word = name.decodeText()
    return ACTIVE_KEYS.has(word) || (KIND_KEYS.has(word) && isActiveName(value)) || hasActiveContent(value, word)
  })
}

/** @type {(object: PDFObject) => boolean} */
const isActiveName = (object) => object instanceof PDFName && ACTIVE_KINDS.has(object.decodeText())

/**
 * True when the raw bytes contain active content. The reviewer's PDF reader may find other objects in a broken file than this parser.
 * @param {Buffer} bytes
 */
function containsActiveText(bytes) {
  const text = bytes
    .toString('latin1')
    .replaceAll(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return ACTIVE_TEXT.test(text)
}

const ACTIVE_TEXT =
  /\/(S|Type|Subtype)\s*\/(JavaScript|Launch|SubmitForm|ImportData|GoToE|EmbeddedFile|FileAttachment|RichMedia)\b|\/EmbeddedFiles\s*(<<|\d)|\/JavaScript\s*(<<|\d)/

process.stdout.write(JSON.stringify(await inspectPdf(await buffer(process.stdin))))
