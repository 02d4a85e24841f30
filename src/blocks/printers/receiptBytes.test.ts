import { describe, expect, it } from 'vitest'
import { readEscPos } from '../../../tests/support/devices/readEscPos.ts'
import { redemptionReceipt, type ReceiptFacts, type ReceiptLine } from '../vouchers/receipt.ts'
import { receiptBytes, type RowLayout } from './receiptBytes.ts'

const VOUCHER = { serial: '2004839201186', cents: 1_000, number: 'R-000123' }

const FACTS: ReceiptFacts = {
  shop: 'Kopi & Grain Pte. Ltd.',
  branch: 'Ang Mo Kio Family Clinic and Dental Surgery',
  till: 'Till 2',
  cashier: 'pos-0042',
  at: new Date('2026-11-27T01:41:00Z'),
  vouchers: [VOUCHER],
}

const receiptOf = (facts: Partial<ReceiptFacts> = {}) => redemptionReceipt({ ...FACTS, ...facts })

const printed = (lines: readonly ReceiptLine[]) =>
  readEscPos(receiptBytes({ from: [], title: 'Receipt', lines }, 58)).lines.slice(2, 5)

/** Replaces the canvas: a frame as wide as the paper, and a stroke where the value begins. */
function drawFrame(_: unknown, { dots, nameDots }: RowLayout): ImageData {
  const height = 32
  const data = new Uint8ClampedArray(dots * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < dots; x++) {
      const isInk = y === 0 || y === height - 1 || x === 0 || x === dots - 1 || x === nameDots
      if (isInk) data.fill(0, (y * dots + x) * 4, (y * dots + x) * 4 + 3)
    }
  }
  // Replaces the browser's class, which Node does not have.
  class ImageData {
    readonly width = dots
    readonly height = height
    readonly data = data
    readonly colorSpace = 'srgb'
  }
  return new ImageData() as globalThis.ImageData
}

describe('the bytes of a receipt', () => {
  it('are on paper of 80 mm one line for each fact, name at the left and value at the right', () => {
    expect(readEscPos(receiptBytes(receiptOf(), 80)).lines).toEqual([
      '          Kopi & Grain Pte. Ltd.',
      '   Ang Mo Kio Family Clinic and Dental',
      '                 Surgery',
      '',
      'Receipt',
      '',
      'Till                                Till 2',
      'Cashier                           pos-0042',
      'Time                    27 Nov 2026, 09:41',
      'Voucher                    2 004839 201186',
      'Redeemed                            $10.00',
      'Receipt number                    R-000123',
      '',
      'Health Rewards Programme',
      '',
      '',
      '',
      '',
      '[cut]',
    ])
  })

  it('are on paper of 58 mm the same facts in 32 columns, longer values in more lines', () => {
    const { lines } = readEscPos(
      receiptBytes(receiptOf({ till: null, vouchers: [{ ...VOUCHER, number: undefined }] }), 58),
    )
    expect(lines.slice(6, -7)).toEqual([
      'Cashier                 pos-0042',
      'Time                27 Nov 2026,',
      '                           09:41',
      'Voucher          2 004839 201186',
      'Redeemed                  $10.00',
      'Receipt number Follows after the',
      '                          upload',
    ])
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(32)
  })

  it.each([
    [58, 384],
    [80, 504],
  ] as const)(
    'have on paper of %i mm a picture of %i dots for a line in another script, and text for the others',
    (width, dots) => {
      const receipt = receiptOf({ branch: '红山诊所', cashier: 'சுகாதார நிலையம்' })
      const { lines, pictures } = readEscPos(receiptBytes(receipt, width, drawFrame))
      const picture = `[picture ${dots} x 32]`
      expect(lines[1]).toBe(picture)
      expect(lines.slice(5, 7)).toEqual([expect.stringMatching(/^Till +Till 2$/), picture])
      expect(lines.join()).not.toContain('?')
      const drawn = drawFrame(undefined, { dots, nameDots: 15 * 12 })
      expect(pictures[1]).toEqual({
        width: dots,
        height: 32,
        dots: Array.from({ length: dots * 32 }, (_, dot) => drawn.data[dot * 4] === 0),
      })
    },
  )

  it('never let a name give a command to the printer', () => {
    const { lines } = readEscPos(receiptBytes(receiptOf({ branch: 'Clinic\u001Bp\u0000' }), 80, drawFrame))
    expect(lines[1]).toBe('[picture 504 x 32]')
  })

  it('give long names half of the paper at most', () => {
    const lines = [['Lost, no change given at this till', '$17.50 of 3 vouchers']] as const
    expect(printed(lines)).toEqual(['Lost, no change      $17.50 of 3', 'given at this           vouchers', 'till'])
  })

  it('never break a receipt number, though it has a hyphen', () => {
    const lines = [['2 004839 201186', '$10.00, Redeemed, R-000123']] as const
    expect(printed(lines)).toEqual([
      '2 004839 201186          $10.00,',
      '                       Redeemed,',
      '                        R-000123',
    ])
  })

  it('say on top when it was voided', () => {
    const { lines } = readEscPos(
      receiptBytes(receiptOf({ vouchers: [{ ...VOUCHER, voidedAt: new Date('2026-11-27T01:44:00Z') }] }), 58),
    )
    expect(lines.slice(4, 6)).toEqual(['Receipt', 'Voided 27 Nov 2026, 09:44'])
  })

  it('print a code as a square and as bars, as it stands on a voucher', () => {
    const receipt = {
      from: [],
      title: 'Test page',
      lines: [['Time', '09:41']],
      code: '9990000000012',
      note: 'No voucher.',
    } as const
    const { lines } = readEscPos(receiptBytes(receipt, 58))
    expect(lines).toContain('[square HRP1.9990000000012]')
    expect(lines).toContain('[bars 9990000000012]')
    expect(lines).toContain('No voucher.')
  })
})
