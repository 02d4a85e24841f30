import { buffer } from 'node:stream/consumers'
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFStream } from '@cantoo/pdf-lib'

// Started by `validatePdf` for each file: a PDF comes in, a verdict goes out. JavaScript, so that Node starts it as it is: to
// load a TypeScript compiler first takes longer than all the rest.

/** Keys and names of what runs, calls out, or carries another file. A link that a person clicks is none of it. */
const ACTIVE = new Set([
  'JavaScript',
  'JS',
  'AA',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'EmbeddedFile',
  'EmbeddedFiles',
  'EF',
  'FileAttachment',
  'RichMedia',
  'RichMediaExecute',
  'XFA',
])

/**
 * Looks at every object of the file, those packed into streams included.
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
    if (document.isEncrypted) return { fault: 'must not be encrypted' }
    const pages = document.getPageCount()
    if (pages === 0) return { fault: 'has no pages' }
    return isActive(document, bytes) ? { fault: 'must not contain scripts, actions or other files' } : { pages }
  } catch {
    return { fault: 'is damaged' }
  }
}

/** @type {(document: PDFDocument, bytes: Buffer) => boolean} */
const isActive = (document, bytes) =>
  opensSomething(document) ||
  document.context.enumerateIndirectObjects().some(([, object]) => hasActive(object)) ||
  spellsActive(bytes)

/**
 * Going to a page of its own when opened is harmless, and common; any other action is not.
 * @param {PDFDocument} document
 */
function opensSomething({ catalog }) {
  const action = catalog.lookup(PDFName.of('OpenAction'))
  if (!(action instanceof PDFDict)) return false
  return action.lookup(PDFName.of('S')) !== PDFName.of('GoTo') || action.has(PDFName.of('Next'))
}

/**
 * References are not followed: what they lead to is enumerated on its own.
 * @param {import('@cantoo/pdf-lib').PDFObject} object
 * @returns {boolean}
 */
function hasActive(object) {
  if (object instanceof PDFName) return ACTIVE.has(object.decodeText())
  if (object instanceof PDFArray) return object.asArray().some(hasActive)
  if (object instanceof PDFStream) return hasActive(object.dict)
  return object instanceof PDFDict && object.entries().some(([key, value]) => hasActive(key) || hasActive(value))
}

/**
 * The same words in the bytes as they lie there. Two readers may disagree on which objects a broken file has, and the one on
 * the reviewer's desk is not ours.
 * @param {Buffer} bytes
 */
function spellsActive(bytes) {
  const text = bytes
    .toString('latin1')
    .replaceAll(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return SPELLED.test(text)
}

const SPELLED =
  /\/(S|Type|Subtype)\s*\/(JavaScript|Launch|SubmitForm|ImportData|GoToE|EmbeddedFile|FileAttachment|RichMedia)\b|\/EmbeddedFiles\s*(<<|\d)|\/JavaScript\s*(<<|\d)/

process.stdout.write(JSON.stringify(await inspectPdf(await buffer(process.stdin))))
