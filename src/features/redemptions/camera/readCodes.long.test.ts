import { beforeAll, expect, it } from 'vitest'
import { counterPhotographs } from '../../../../tests/support/redemptions/counterPhotographs.ts'
import { drawnBars } from '../../../../tests/support/redemptions/drawnBars.ts'
import { prepareReader, watchPhotograph } from '../../../../tests/support/redemptions/watchPhotograph.ts'

beforeAll(prepareReader)

it('the camera reads 49 of 51 photographs of a counter within three seconds, and nothing else in any', async () => {
  const missed: string[] = []
  const wrong: string[] = []
  for (const { name, code, take } of counterPhotographs()) {
    const codes = await watchPhotograph(await take(), { samples: 30 })
    if (codes.length === 0) missed.push(name)
    if (codes.some((read) => read !== code)) wrong.push(name)
  }
  expect(wrong).toEqual([])
  expect(missed.slice(2)).toEqual([])
}, 600_000)

it('of 3,000 drawn vouchers no other number is ever reported, and nearly each that can be seen is read', async () => {
  const wrong: string[] = []
  let read = 0
  let visible = 0
  for await (const { serial, module, picture } of drawnBars(3_000, 3)) {
    const codes = await watchPhotograph(picture, { samples: 4 })
    if (codes.some((code) => code !== serial)) wrong.push(`${serial}, ${module} pixels a module`)
    if (module < 2.2) continue
    visible += 1
    read += codes.length
  }
  expect(wrong).toEqual([])
  expect(read).toBeGreaterThan(visible * 0.99)
}, 3_600_000)
