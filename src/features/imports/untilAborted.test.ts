import { expect, it } from 'vitest'
import { untilAborted } from './untilAborted.ts'

it('ends for a page that was left before it was waited for, so that its lock is given back', async () => {
  const left = new AbortController()
  left.abort()
  await expect(untilAborted(left.signal)).resolves.toBeUndefined()
})

it('ends when the page is left', async () => {
  const left = new AbortController()
  const ended = untilAborted(left.signal)
  left.abort()
  await expect(ended).resolves.toBeUndefined()
})
