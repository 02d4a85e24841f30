import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { jsonLog, linesLater } from './log.ts'

it('writes the lines of one turn together after it, in their order, and each once', async () => {
  const written: string[] = []
  const { write } = linesLater((text) => void written.push(text))
  write('a\n')
  write('b\n')
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['a\nb\n'])
  await nextTurn()
  write('c\n')
  await nextTurn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

it('loses no line when the process ends before the turn does', async () => {
  const written: string[] = []
  const { write, flush } = linesLater((text) => void written.push(text))
  jsonLog(write, () => new Date(0)).info('stopping')
  flush()
  expect(written).toEqual(['{"at":"1970-01-01T00:00:00.000Z","level":"info","event":"stopping"}\n'])
  await nextTurn()
  expect(written).toHaveLength(1)
})
