import { beforeAll, describe, expect, it } from 'vitest'
import { counterPhotographs } from '../../../../tests/support/redemptions/counterPhotographs.ts'
import { drawnBars } from '../../../../tests/support/redemptions/drawnBars.ts'
import { prepareReader, watchPhotograph } from '../../../../tests/support/redemptions/watchPhotograph.ts'

beforeAll(prepareReader)

/** Three seconds. */
const LOOKS = 30

describe('the camera reads a voucher', () => {
  it.each(counterPhotographs())('$name', async (shot) => {
    expect(await watchPhotograph(shot.take(), { looks: LOOKS, untilFirst: true })).toEqual([shot.code])
  })
})

describe('bars that are not there', () => {
  it('are never reported: of 12 drawn vouchers each is read as its own number or not at all', async () => {
    for await (const { serial, picture } of drawnBars(12, 1)) {
      expect([[serial], []]).toContainEqual(await watchPhotograph(picture, { looks: 4, untilFirst: true }))
    }
  }, 120_000)
})
