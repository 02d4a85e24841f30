import { beforeAll, describe, expect, it } from 'vitest'
import { counterPhotographs } from '../../../../tests/support/redemptions/counterPhotographs.ts'
import { prepareReader, watchPhotograph } from '../../../../tests/support/redemptions/watchPhotograph.ts'

beforeAll(prepareReader)

/** The samples of three seconds. */
const SAMPLES = 30

describe('the camera reads a voucher', () => {
  it.each(counterPhotographs())('$name', async (shot) => {
    expect(await watchPhotograph(shot.take(), { samples: SAMPLES, untilFirst: true })).toEqual([shot.code])
  })
})
