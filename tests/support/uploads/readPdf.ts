// Kept, because the PDF library replaces JSON.parse, and a server in the same process would then read bodies differently.
const { parse } = JSON
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
JSON.parse = parse

/**
 * Reads a PDF: `text` is everything that a reader should see, with single spaces between words. Running footers are marked as artifacts and left out.
 */
export async function readPdf(bytes: ArrayBuffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const { info } = await pdf.getMetadata()
  const { Title: title, Language: language } = info as Record<string, unknown>
  const outline = (await pdf.getOutline()) as { title: string }[] | null
  const texts: string[] = []
  for (let page = 1; page <= pdf.numPages; page += 1) texts.push(await textOf(await pdf.getPage(page)))
  const bookmarks = outline?.map((item) => item.title) ?? []
  return { title, language, pages: pdf.numPages, bookmarks, text: oneLine(texts.join(' ')) }
}

/** Returns its pages as PNG, at 288 dots per inch. */
export async function drawPdf(bytes: ArrayBuffer): Promise<Buffer[]> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const factory = pdf.canvasFactory as CanvasFactory
  const pictures: Buffer[] = []
  for (let nth = 1; nth <= pdf.numPages; nth += 1) {
    const page = await pdf.getPage(nth)
    const viewport = page.getViewport({ scale: 4 })
    const { canvas } = factory.create(viewport.width, viewport.height)
    await page.render({ canvas: canvas as never, viewport }).promise
    pictures.push(canvas.toBuffer('image/png'))
  }
  return pictures
}

interface CanvasFactory {
  create(width: number, height: number): { canvas: { toBuffer(type: 'image/png'): Buffer } }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>

async function textOf(page: Page): Promise<string> {
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  let artifacts = 0
  const open: boolean[] = []
  const words: string[] = []
  for (const item of items) {
    if ('str' in item) {
      if (artifacts === 0) words.push(item.str)
    } else if (item.type === 'endMarkedContent') {
      if (open.pop()) artifacts -= 1
    } else {
      // The library's type leaves the tag out.
      const isArtifact = (item as { tag?: string }).tag === 'Artifact'
      open.push(isArtifact)
      if (isArtifact) artifacts += 1
    }
  }
  return words.join(' ')
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
