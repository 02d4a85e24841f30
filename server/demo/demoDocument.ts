import PDFDocument from 'pdfkit'

export type Page = InstanceType<typeof PDFDocument>

/** An A4 document that `draw` has filled, as bytes. */
export function demoDocument(
  title: string,
  now: Date,
  draw: (page: Page) => Promise<void> | void,
): Promise<Uint8Array> {
  const page = new PDFDocument({ size: 'A4', margin: 48, info: { Title: title, CreationDate: now } })
  const chunks: Uint8Array[] = []
  page.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    page.once('end', () => resolve(Buffer.concat(chunks)))
    page.once('error', reject)
    page.font('Helvetica-Bold').fontSize(18).text(title).moveDown(0.5).font('Helvetica').fontSize(11)
    Promise.resolve(draw(page)).then(() => page.end(), reject)
  })
}
