import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect } from 'vitest'
import { upload } from '../../../server/db/schema/organisations.ts'
import { findConfirmedUpload, type CheckedUpload, type UploadOwner } from '../../../server/db/uploads.ts'
import { Refusal } from '../../../server/services/Refusal.ts'
import { attachUpload, checkUpload, fileUrl, sweepUploads } from '../../../server/services/uploads/uploads.ts'
import type { UploadKind } from '../../../src/contract/uploads.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { db, it, server } from '../../support/server/serverTest.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { activePdf, encryptedPdf, makePdf } from '../../support/uploads/makePdf.ts'
import { makePresignedUpload } from '../../support/uploads/makeUpload.ts'

beforeEach(() => server.database.reset())

/** Uploads `bytes` through a presigned address. Returns the key. */
async function send(kind: UploadKind, bytes: Uint8Array, owner: UploadOwner = 'public'): Promise<string> {
  const { key, url, headers } = await makePresignedUpload(server.deps, owner, kind, bytes)
  const { pathname, search } = new URL(url)
  const response = await server.app.request(pathname + search, {
    method: 'PUT',
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
    body: new Uint8Array(bytes),
  })
  expect(response.status).toBe(200)
  return key
}

const check = (kind: UploadKind, key: string, owner: UploadOwner = 'public') =>
  checkUpload(server.deps, owner, { kind, key, path: 'file' })

const attach = (checked: CheckedUpload) => attachUpload(db(), checked, 'file', server.clock.now())

/** Returns the code and the message of the refusal. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof Refusal ? `${error.code}: ${error.fields?.[0]?.message}` : `not refused: ${String(error)}`
}

const judge = async (kind: UploadKind, bytes: Uint8Array) => refusalOf(check(kind, await send(kind, bytes)))

const bytesOf = (key: string, folder: 'incoming' | 'stored' = 'stored') =>
  server.deps.store.read(`${folder}/${key}`, 10_000_000)

const text = (content: string) => new TextEncoder().encode(content)

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** Returns the PNG with a chunk at its beginning that says it is animated. */
function animated(png: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(20)
  chunk.writeUInt32BE(8)
  chunk.write('acTL', 4)
  chunk.writeUInt32BE(2, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16)
  return joined(png.subarray(0, 33), chunk, png.subarray(33))
}

/** Returns the mean difference of two pictures, in levels of 255. */
async function meanDifference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer()),
  )
  return a!.reduce((sum, level, at) => sum + Math.abs(level - b![at]!), 0) / a!.length
}

const ZIP = joined(text('PK\u0003\u0004'), new Uint8Array(100), text('PK\u0005\u0006'), new Uint8Array(18))

describe('UPL-04: an image', () => {
  it('is taken as PNG or JPEG, drawn anew, without a place on earth and without words', async () => {
    for (const format of ['png', 'jpeg'] as const) {
      const original = await makeImage({ width: 150, height: 100, format })
      expect((await sharp(original).metadata()).exif).toBeDefined()
      // The content type that the browser sent does not matter.
      const key = await send('brand_logo', original)
      const checked = await check('brand_logo', key)
      expect(checked).toMatchObject({ contentType: `image/${format}`, width: 150, height: 100, pages: null })
      await attach(checked)
      const stored = Buffer.from((await bytesOf(key))!)
      const { exif, xmp, iptc, ...facts } = await sharp(stored).metadata()
      expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
      expect(facts).toMatchObject({ format, width: 150, height: 100 })
      expect(stored.includes('Somebody')).toBe(false)
      expect(stored.byteLength).toBe(checked.size)
    }
  })

  it('keeps its pixels, its transparency and the way up that its camera told', async () => {
    const half = await sharp({ create: { width: 150, height: 100, channels: 4, background: '#1a5ac880' } })
      .png()
      .toBuffer()
    const key = await send('brand_logo', half)
    await check('brand_logo', key)
    const raw = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
    expect(await raw((await bytesOf(key))!)).toEqual(await raw(half))
    const turned = await sharp({ create: { width: 100, height: 150, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(await check('brand_logo', await send('brand_logo', turned))).toMatchObject({ width: 150, height: 100 })
  })

  it('loses a script that hid in a comment', async () => {
    const jpeg = await makeImage({ width: 150, height: 100, format: 'jpeg' })
    const script = text('<script>alert(1)</script>')
    const comment = joined(new Uint8Array([0xff, 0xfe, 0, script.length + 2]), script)
    const key = await send('brand_logo', joined(jpeg.subarray(0, 2), comment, jpeg.subarray(2)))
    await check('brand_logo', key)
    expect(Buffer.from((await bytesOf(key))!).includes('<script>')).toBe(false)
  })

  it('is refused unless it decodes as one whole PNG or JPEG', async () => {
    const png = await makeImage({ width: 150, height: 100 })
    const jpeg = await makeImage({ width: 150, height: 100, format: 'jpeg' })
    const plain = sharp({ create: { width: 150, height: 100, channels: 3, background: 'red' } })
    const unknown = 'INVALID_IMAGE: must be JPEG or PNG'
    const more =
      'INVALID_IMAGE: has other data behind its picture, or ends too early. Crop it to fit, or save it as a new file'
    const damaged = png.slice()
    damaged.fill(0, png.length - 60, png.length - 20)
    const cases: [string, Uint8Array, string][] = [
      ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="150" height="100"/>'), unknown],
      ['HTML', text('<!doctype html><script>alert(1)</script>'), unknown],
      ['GIF', await plain.clone().gif().toBuffer(), unknown],
      ['WebP', await plain.clone().webp().toBuffer(), unknown],
      ['TIFF', await plain.clone().tiff().toBuffer(), unknown],
      ['PDF', await makePdf(), unknown],
      ['nothing but a PNG signature', png.subarray(0, 8), unknown],
      ['PNG and ZIP', joined(png, ZIP), more],
      ['JPEG and ZIP', joined(jpeg, ZIP), more],
      ['truncated PNG', png.subarray(0, -30), more],
      ['truncated JPEG', jpeg.subarray(0, -30), more],
      ['PNG with its middle gone', joined(png.subarray(0, 60), png.subarray(-12)), unknown],
      ['PNG with zeros in it', damaged, 'INVALID_IMAGE: is damaged'],
      [
        'animated PNG',
        animated(png),
        'INVALID_IMAGE: must be one still picture. Crop it to fit, or save it as a new file',
      ],
    ]
    for (const [name, bytes, refused] of cases) {
      expect(`${name}: ${await judge('brand_logo', bytes)}`).toBe(`${name}: ${refused}`)
    }
  })

  it('is refused when its colours are those of print, which each program shows otherwise', async () => {
    const raw = { width: 150, height: 100, channels: 3 } as const
    const printed = await sharp(Buffer.alloc(150 * 100 * 3, 90), { raw })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect(await judge('brand_logo', printed)).toBe(
      'INVALID_IMAGE: must be in RGB, not CMYK: its colours would change. Crop it to fit, or save it as a new file',
    )
  })

  it('of 30,000 by 30,000 pixels is refused before it is decoded', async () => {
    const png = await makeImage({ width: 30, height: 20 })
    // The header's width and height, and its checksum.
    const header = Buffer.from(png.slice(12, 29))
    header.writeUInt32BE(30_000, 4)
    header.writeUInt32BE(30_000, 8)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(header))
    const huge = joined(png.subarray(0, 12), header, checksum, png.subarray(33))
    const before = process.memoryUsage().rss
    expect(await judge('brand_logo', huge)).toBe('INVALID_IMAGE: has too many pixels')
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })
})

describe('UPL-05: a logo', () => {
  const ratio = 'INVALID_IMAGE: Brand logo must have a 3:2 aspect ratio.'
  const dimensions = 'INVALID_IMAGE: Profile logo must be at most 100x50 px.'
  it.each([
    ['brand_logo', 160, 107, 'not refused: undefined'],
    ['brand_logo', 150, 150, ratio],
    ['brand_logo', 107, 160, ratio],
    ['brand_logo', 60, 40, 'not refused: undefined'],
    ['brand_logo', 3, 2, 'INVALID_IMAGE: Brand logo must be at least 60x40 px.'],
    ['profile_logo', 9, 50, 'INVALID_IMAGE: Profile logo must be at least 10x10 px.'],
    ['profile_logo', 100, 50, 'not refused: undefined'],
    ['profile_logo', 101, 50, dimensions],
    ['profile_logo', 100, 51, dimensions],
  ] as const)('%s of %i by %i: %s', async (kind, width, height, outcome) => {
    expect(await judge(kind, await makeImage({ width, height }))).toBe(outcome)
  })

  it.each(['jpeg', 'png'] as const)(
    'is stored below its limit too: a %s that is packed hard stays so',
    async (format) => {
      const noise = { channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 30 } } as const
      const packed =
        format === 'jpeg'
          ? sharp({ create: { width: 1_200, height: 800, ...noise } }).jpeg({ quality: 30 })
          : sharp({ create: { width: 540, height: 360, ...noise } }).png({ palette: true, colours: 16, effort: 10 })
      const original = await packed.toBuffer()
      expect(original.byteLength).toBeLessThan(100 * 1_024)
      const checked = await check('brand_logo', await send('brand_logo', original))
      expect(checked.size).toBeLessThan(100 * 1_024)
      const difference = await meanDifference(original, Buffer.from((await bytesOf(checked.key))!))
      expect(difference).toBeLessThan(6)
    },
  )

  it('is no larger than rule 13.1 lets it be, though it was announced otherwise', async () => {
    const noise = async (width: number, height: number) =>
      new Uint8Array(
        await sharp({
          create: { width, height, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
        })
          .png()
          .toBuffer(),
      )
    const brand = await noise(240, 160)
    expect(brand.byteLength).toBeGreaterThan(100 * 1_024)
    expect(await judge('brand_logo', brand)).toBe('INVALID_IMAGE: Brand logo size must be under 100KB.')
    const profile = joined(await makeImage({ width: 100, height: 50 }), new Uint8Array(50 * 1_024))
    expect(await judge('profile_logo', profile)).toBe('INVALID_IMAGE: Profile logo size must not exceed 50KB.')
  })
})

describe('UPL-06: an agreement', () => {
  it('is a PDF, and stays as it is: it may carry a signature', async () => {
    const pdf = await makePdf({ pages: 3 })
    const key = await send('merchant_agreement', pdf)
    const checked = await check('merchant_agreement', key)
    expect(checked).toMatchObject({ contentType: 'application/pdf', pages: 3, size: pdf.byteLength, width: null })
    expect(Buffer.from((await bytesOf(key))!).equals(pdf)).toBe(true)
  })

  it('may open on a page of its own, link to the web, and call its places and fonts by any word', async () => {
    for (const harmless of ['destination', 'go to page', 'link', 'places and fonts by any word'] as const) {
      expect(await judge('merchant_agreement', await activePdf(harmless))).toBe('not refused: undefined')
    }
  })

  it('may stand between line breaks, a mark of UTF-8 and padding', async () => {
    const pdf = await makePdf()
    for (const whole of [
      joined(text('\n'), pdf),
      joined(text('\uFEFF\r\n'), pdf),
      joined(pdf, new Uint8Array(2_000)),
    ]) {
      expect(await judge('merchant_agreement', whole)).toBe('not refused: undefined')
    }
  })

  it('is refused for what is not a whole PDF', async () => {
    const pdf = await makePdf()
    const anew = 'Open it and print it to a new PDF'
    const cases: [string, Uint8Array, string][] = [
      ['MZ', joined(text('MZ'), new Uint8Array(1_000), text('%%EOF')), 'must be a PDF'],
      ['%PDF at 2,000', joined(new Uint8Array(2_000), pdf), 'must be a PDF'],
      [
        'text before',
        joined(text('Content-Type: application/pdf\r\n\r\n'), pdf),
        `has other data in front of the PDF. ${anew}`,
      ],
      ['PNG', await makeImage({ width: 60, height: 40 }), 'must be a PDF'],
      ['cut off', pdf.subarray(0, -200), `is not whole: its end is missing. ${anew}`],
      [
        'with a ZIP of 2,000 bytes behind',
        joined(pdf, new Uint8Array(2_000), ZIP),
        `has other data behind the PDF. ${anew}`,
      ],
      ['no objects', text('%PDF-1.7\n%%EOF'), `is damaged. ${anew}`],
      [
        '5 MB and 1 byte',
        joined(pdf, new Uint8Array(5 * 1_024 * 1_024 + 1 - pdf.length)),
        'Merchant agreement must be under 5MB.',
      ],
      ['encrypted', await encryptedPdf(), 'must not be protected. Save it without a password and without restrictions'],
    ]
    for (const [name, bytes, words] of cases) {
      expect(`${name}: ${await judge('merchant_agreement', bytes)}`).toBe(`${name}: INVALID_PDF: ${words}`)
    }
  })

  it.each([
    'script on opening',
    'script of a page',
    'script by name',
    'launch',
    'submit',
    'embedded file',
    'address on opening',
    'packed away',
    'spelled otherwise',
    'in no list of objects',
    'page that is listed as a font too',
    'script whose kind stands elsewhere',
  ] as const)('is refused when it has a %s', async (what) => {
    expect(await judge('merchant_agreement', await activePdf(what))).toBe(
      'INVALID_PDF: must not contain scripts, actions or other files. Open it and print it to a new PDF',
    )
  })

  it('that unfolds without end is not taken, and holds nobody up', async () => {
    const key = await send('merchant_agreement', await activePdf('bomb'))
    let judged = false
    const outcome = refusalOf(check('merchant_agreement', key)).finally(() => {
      judged = true
    })
    expect((await server.app.request('/api/health')).status).toBe(200)
    expect(judged).toBe(false)
    expect(await outcome).toMatch(/^(INVALID_PDF: |not refused: Unavailable)/)
    expect(await bytesOf(key)).toBeUndefined()
  }, 60_000)
})

describe('an upload', () => {
  const PNG = () => makeImage({ width: 150, height: 100 })

  it('can be attached once, however many try at the same time', async () => {
    const key = await send('brand_logo', await PNG())
    const checks = await Promise.all([check('brand_logo', key), check('brand_logo', key), check('brand_logo', key)])
    const outcomes = await Promise.all(checks.map((checked) => refusalOf(attach(checked))))
    expect(outcomes.toSorted()).toEqual([
      'UPLOAD_UNKNOWN: must be uploaded again',
      'UPLOAD_UNKNOWN: must be uploaded again',
      'not refused: undefined',
    ])
    expect(await refusalOf(check('brand_logo', key))).toMatch(/^UPLOAD_UNKNOWN/)
  })

  it('is nobody else’s, of no other kind, and not there before it was put', async () => {
    const { db } = server.database
    const [mine, theirs] = [await makeMerchant(db), await makeMerchant(db)]
    const ownerOf = ({ organisation, main }: typeof mine) => ({ organisationId: organisation.id, userId: main.id })
    const key = await send('brand_logo', await PNG(), ownerOf(mine))
    const unknown = 'UPLOAD_UNKNOWN: must be uploaded again'
    expect(await refusalOf(check('brand_logo', key, ownerOf(theirs)))).toBe(unknown)
    expect(await refusalOf(check('brand_logo', key, 'public'))).toBe(unknown)
    expect(await refusalOf(check('profile_logo', key, ownerOf(mine)))).toBe(unknown)
    const { key: unsent } = await makePresignedUpload(server.deps, ownerOf(mine), 'brand_logo', await PNG())
    expect(await refusalOf(check('brand_logo', unsent, ownerOf(mine)))).toBe(unknown)
    expect(await refusalOf(check('brand_logo', key, ownerOf(mine)))).toBe('not refused: undefined')
  })

  it('that was refused is gone at once', async () => {
    const key = await send('brand_logo', text('<svg/>'))
    await refusalOf(check('brand_logo', key))
    expect(await bytesOf(key, 'incoming')).toBeUndefined()
    expect(await refusalOf(check('brand_logo', key))).toMatch(/^UPLOAD_UNKNOWN/)
  })

  it('UPL-07: that nobody attached is swept away after an hour, and only then', async () => {
    const confirmed = await send('brand_logo', await PNG())
    await attach(await check('brand_logo', confirmed))
    const checked = await send('brand_logo', await PNG())
    const late = await check('brand_logo', checked)
    const forgotten = await send('brand_logo', await PNG())
    server.clock.advance({ minutes: 59 })
    const fresh = await send('brand_logo', await PNG())
    await sweepUploads(server.deps)
    expect(await bytesOf(forgotten, 'incoming')).toBeDefined()
    server.clock.advance({ minutes: 1 })
    await Promise.all([sweepUploads(server.deps), sweepUploads(server.deps)])
    for (const key of [forgotten, checked]) {
      expect(await bytesOf(key, 'incoming')).toBeUndefined()
      expect(await bytesOf(key)).toBeUndefined()
    }
    expect(await refusalOf(attach(late))).toMatch(/^UPLOAD_UNKNOWN/)
    expect(await bytesOf(confirmed)).toBeDefined()
    expect(await bytesOf(confirmed, 'incoming')).toBeUndefined()
    expect(await bytesOf(fresh, 'incoming')).toBeDefined()
    const rows = await db().select({ key: upload.key }).from(upload)
    expect(rows.map(({ key }) => key).toSorted()).toEqual([confirmed, fresh].toSorted())
    expect(await sweepUploads(server.deps)).toBe(0)
  })

  it('UPL-07: two thousand that nobody attached go in one sweep', async () => {
    const { db } = server.database
    const createdAt = server.clock.now()
    const row = (number: number) => ({
      key: `public/brand_logo/${String(number).padStart(36, '0')}`,
      kind: 'brand_logo' as const,
      contentType: 'image/png',
      size: 1,
      filename: '',
      state: 'pending' as const,
      createdAt,
    })
    for (let start = 0; start < 2_000; start += 1_000) {
      await db.insert(upload).values(Array.from({ length: 1_000 }, (_, index) => row(start + index)))
    }
    server.clock.advance({ hours: 1 })
    expect(await sweepUploads(server.deps)).toBe(2_000)
    expect(await db.$count(upload)).toBe(0)
  })
})

describe('UPL-08: a file opened by its address', () => {
  const open = async (url: string, init?: RequestInit) => {
    const { pathname, search } = new URL(url)
    return server.app.request(pathname + search, init)
  }
  async function confirmed(kind: UploadKind, bytes: Uint8Array) {
    const key = await send(kind, bytes)
    await attach(await check(kind, key))
    return (await findConfirmedUpload(db(), key))!
  }

  it('does nothing: no sniffing, no script, no frame, not kept', async () => {
    const file = await confirmed('brand_logo', await makeImage({ width: 150, height: 100 }))
    const response = await open(await fileUrl(server.deps, file))
    expect(response.status).toBe(200)
    const header = (name: string) => response.headers.get(name)
    expect(header('content-type')).toBe('image/png')
    expect(header('content-disposition')).toBe('inline')
    expect(header('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'")
    expect(header('x-content-type-options')).toBe('nosniff')
    expect(header('cross-origin-resource-policy')).toBe('same-origin')
    expect(header('cache-control')).toBe('private, no-store')
    expect((await response.arrayBuffer()).byteLength).toBe(file.size)
  })

  it('is a download when it is a PDF', async () => {
    const file = await confirmed('merchant_agreement', await makePdf())
    const response = await open(await fileUrl(server.deps, file))
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  it('is there for five minutes, by GET and no other verb, and never before it was checked', async () => {
    const file = await confirmed('brand_logo', await makeImage({ width: 150, height: 100 }))
    const url = await fileUrl(server.deps, file)
    for (const method of ['POST', 'DELETE', 'PUT']) expect((await open(url, { method })).status).toBeGreaterThan(400)
    expect((await open(url)).status).toBe(200)
    server.clock.advance({ minutes: 5 })
    expect((await open(url)).status).toBe(403)
    const terms = { contentType: 'image/png', contentDisposition: 'inline' }
    const key = await send('brand_logo', await makeImage({ width: 150, height: 100 }))
    expect((await open(await server.deps.store.presignGet(`incoming/${key}`, terms, 60))).status).toBe(403)
    const [pending] = await db().select().from(upload).where(eq(upload.key, key))
    expect(() => fileUrl(server.deps, pending!)).toThrow(TypeError)
  })

  it.each([
    '',
    '/',
    '/stored/',
    '/stored/../../secrets/jwt-secret',
    '/stored/%2e%2e/x',
    '/stored/a/b/c/d',
    '/incoming/a/b/c',
  ])('has no address %s', async (path) => {
    for (const method of ['GET', 'PUT']) {
      const response = await server.app.request(`/files${path}`, { method })
      expect([403, 404, 405]).toContain(response.status)
    }
  })
})
