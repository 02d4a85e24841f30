import { expect, it } from 'vitest'
import { limitConcurrency } from './limitConcurrency.ts'

it('runs no more than the limit at once, all of them in the end, failures included', async () => {
  const limited = limitConcurrency(3)
  let running = 0
  let most = 0
  const work = (index: number) =>
    limited(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      if (index % 4 === 0) throw new Error('failed')
      return index
    })
  const done = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)))
  expect(most).toBe(3)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
})
