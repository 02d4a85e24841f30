import { expect, it } from 'vitest'
import { imageFault, logoFault, pdfFault } from './uploadRules.ts'

it('a brand logo is 3:2, give or take 1 %', () => {
  for (const [width, height] of [
    [160, 107],
    [60, 40],
    [300, 200],
    [303, 200],
    [297, 200],
  ] as const) {
    expect(logoFault('brand_logo', { width, height })).toBeUndefined()
  }
  for (const [width, height] of [
    [304, 200],
    [296, 200],
    [200, 300],
    [100, 100],
  ] as const) {
    expect(logoFault('brand_logo', { width, height })).toMatchObject({ rule: 'ratio' })
  }
})

it('a profile logo is at most 100 by 50 pixels, of any ratio', () => {
  for (const [width, height] of [
    [100, 50],
    [50, 50],
    [10, 10],
  ] as const) {
    expect(logoFault('profile_logo', { width, height })).toBeUndefined()
  }
  for (const [width, height] of [
    [101, 50],
    [100, 51],
  ] as const) {
    expect(logoFault('profile_logo', { width, height })).toMatchObject({ rule: 'dimensions' })
  }
})

it('a logo of which nothing could be seen is too small', () => {
  for (const [kind, width, height] of [
    ['brand_logo', 3, 2],
    ['brand_logo', 59, 40],
    ['profile_logo', 9, 50],
  ] as const) {
    expect(logoFault(kind, { width, height })).toMatchObject({ rule: 'too small' })
  }
})

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  )

const frame = (colours: number) => [0xff, 0xc2, 0, 8, 8, 0, 1, 0, 1, colours]

it('the colours of a JPEG are counted in its frame, whatever stands before it', () => {
  const end = [0xff, 0xd9]
  // A segment that contains a frame of four colours, and filler bytes.
  const before = [0xff, 0xd8, 0xff, 0xe1, 0, 12, ...frame(4), 0xff, 0xff]
  expect(imageFault(bytes(before, frame(3), end))).toBeUndefined()
  expect(imageFault(bytes(before, frame(4), end))).toMatchObject({ rule: 'colours' })
  expect(imageFault(bytes(before, frame(3), end, '\n'))).toMatchObject({ rule: 'whole' })
  for (let length = 0; length < before.length + 12; length += 1) {
    const cut = bytes(before, frame(4)).subarray(0, length)
    expect(() => imageFault(bytes([...cut], end))).not.toThrow()
  }
})

it('a PDF is protected where its key leads to something, and not by a longer word', () => {
  const pdf = (text: string) => bytes(`%PDF-1.7\n${text}\n%%EOF\n`)
  expect(pdfFault(pdf('<< /EncryptMetadata false >>'))).toBeUndefined()
  expect(pdfFault(pdf('trailer << /Encrypt 12 0 R >>'))).toMatchObject({ rule: 'pdf' })
  expect(pdfFault(pdf('trailer << /Encrypt\n<< /V 4 >> >>'))).toMatchObject({ rule: 'pdf' })
})

it('blanks around a PDF are no fault, anything else is', () => {
  const pdf = '%PDF-1.7\n%%EOF'
  expect(pdfFault(bytes('\u00ef\u00bb\u00bf\r\n', pdf, '\0'.repeat(3_000)))).toBeUndefined()
  for (const other of [bytes('x', pdf), bytes(pdf, 'x'.repeat(2_000)), bytes('%PDF-1.7'), bytes('x'), bytes('')]) {
    expect(pdfFault(other)).toMatchObject({ rule: 'pdf' })
  }
})
