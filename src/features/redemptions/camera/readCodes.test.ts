import { beforeAll, describe, expect, it } from 'vitest'
import { counterPhotographs } from '../../../../tests/support/redemptions/counterPhotographs.ts'
import { prepareReader, watchPhotograph } from '../../../../tests/support/redemptions/watchPhotograph.ts'

beforeAll(prepareReader)

/** The samples of three seconds. */
const SAMPLES = 30

/** The kinds that the short form reads, because most mistakes show there. All kinds take minutes. */
const HARD = /far away|turned|in low light|white on black|beside other codes/

describe('the camera reads a voucher', () => {
  it.each(counterPhotographs().filter(({ name }) => HARD.test(name)))('$name', async (shot) => {
    expect(await watchPhotograph(await shot.take(), { samples: SAMPLES, untilFirst: true })).toEqual([shot.code])
  })
})
