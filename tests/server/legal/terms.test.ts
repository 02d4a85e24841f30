import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { clauseItems, clauseText, itemLetter } from '../../../src/domain/legal/LegalDocument.ts'
import { TERMS_AND_CONDITIONS } from '../../../src/domain/legal/termsAndConditions.ts'
import { TERMS_OF_USE } from '../../../src/domain/legal/termsOfUse.ts'
import { VOUCHER_MANAGEMENT_GUIDELINES } from '../../../src/domain/legal/voucherManagementGuidelines.ts'
import { it, server } from '../../support/server/serverTest.ts'
import { oneLine, readPdf } from '../../support/uploads/readPdf.ts'

const PDF = '/api/signup/terms_and_condition/pdf'

/** Returns every word of the text, in the order of the page. */
function wordsOf({ intro, sections }: typeof TERMS_AND_CONDITIONS): string {
  const lines = sections.flatMap((section, index) => [
    `${index + 1}. ${section.title}`,
    ...section.clauses.flatMap((clause, at) => [
      `${index + 1}.${at + 1} ${clauseText(clause)}`,
      ...clauseItems(clause).map((item, letter) => `(${itemLetter(letter)}) ${item}`),
    ]),
  ])
  return oneLine([...intro, ...lines].join(' '))
}

it('the PDF of the terms holds every word of the page, in its order, on several pages', async () => {
  const response = await server.app.request(PDF)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('content-disposition')).toContain('Terms and conditions 1.0.pdf')
  const bytes = await response.arrayBuffer()
  if (process.env['KEEP_PDF']) writeFileSync(process.env['KEEP_PDF'], new Uint8Array(bytes))
  expect(Number(response.headers.get('content-length'))).toBe(bytes.byteLength)

  const pdf = await readPdf(bytes)

  const head = 'Terms and conditions Version 1.0, in force from 21 November 2026'
  expect(pdf.text).toBe(`${head} ${wordsOf(TERMS_AND_CONDITIONS)}`)
  expect(pdf.pages).toBeGreaterThan(2)
})

it('the agreement to sign holds the same clauses, and the lines to fill in on its last page', async () => {
  const response = await server.app.request('/api/signup/merchant_agreement/pdf')
  expect(response.headers.get('content-disposition')).toContain('Merchant agreement 1.0.pdf')
  const bytes = await response.arrayBuffer()
  if (process.env['KEEP_PDF']) writeFileSync(process.env['KEEP_PDF'], new Uint8Array(bytes))
  const { text } = await readPdf(bytes)
  expect(text).toContain(wordsOf({ ...TERMS_AND_CONDITIONS, intro: [] }))
  expect(text).toMatch(/Signed for the merchant Organisation name, as registered with ACRA .+ Date Signature$/)
})

it('the PDF names its title and its language, and has a bookmark for each section', async () => {
  const pdf = await readPdf(await (await server.app.request(PDF)).arrayBuffer())
  expect(pdf).toMatchObject({ title: 'Terms and conditions', language: 'en-SG' })
  expect(pdf.bookmarks).toEqual(TERMS_AND_CONDITIONS.sections.map(({ title }, index) => `${index + 1}. ${title}`))
})

it.each([TERMS_AND_CONDITIONS, TERMS_OF_USE, VOUCHER_MANAGEMENT_GUIDELINES])(
  '$title: sections that a clause refers to exist, and nothing is said twice',
  (document) => {
    const words = wordsOf(document)
    const cited = [...words.matchAll(/[Ss]ections? ((?:\d+(?:, | and )?)+)/g)].flatMap(([, numbers]) =>
      numbers!.match(/\d+/g)!.map(Number),
    )
    for (const number of cited) expect(document.sections[number - 1]).toBeDefined()
    const clauses = document.sections.flatMap(({ clauses: all }) => all.map(clauseText))
    expect(new Set(clauses).size).toBe(clauses.length)
  },
)
