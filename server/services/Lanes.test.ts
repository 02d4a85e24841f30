import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Lanes } from './Lanes.ts'

/** Lanes of which each piece of work ends when it is told to. */
function stoppedLanes() {
  const lanes = new Lanes({ first: { atOnce: 2, waiting: 2 }, second: { atOnce: 1, waiting: 2 } }, 2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (lane: 'first' | 'second', name: string, isGone?: () => boolean) =>
    lanes.carryOut(
      lane,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      isGone,
    )
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { lanes, begun, begin, end }
}

const BUSY = { code: 'SERVER_BUSY' }

describe('lanes', () => {
  it('give a free place to the first lane that wants it, and within a lane to who has waited longest', async () => {
    const { begun, begin, end } = stoppedLanes()
    const all = [
      begin('second', 's1'),
      begin('first', 'f1'),
      begin('second', 's2'),
      begin('first', 'f2'),
      begin('first', 'f3'),
    ]
    expect(begun).toEqual(['s1', 'f1'])
    await end('s1')
    expect(begun).toEqual(['s1', 'f1', 'f2'])
    await end('f2')
    await end('f1')
    expect(begun).toEqual(['s1', 'f1', 'f2', 'f3', 's2'])
    await end('f3')
    await end('s2')
    await Promise.all(all)
  })

  it('refuse who comes when a lane is full, and let in who comes after one that has hung up', async () => {
    const { lanes, begun, begin, end } = stoppedLanes()
    let isGone = false
    const done = begin('second', 's1')
    const [leaving, staying] = [begin('second', 's2', () => isGone), begin('second', 's3')]
    await expect(begin('second', 's4')).rejects.toMatchObject(BUSY)
    expect(() => lanes.refuseWhenFull('second')).toThrow(expect.objectContaining(BUSY))
    isGone = true
    await nextTurn()
    const late = begin('second', 's5')
    await expect(leaving).rejects.toMatchObject(BUSY)
    for (const name of ['s1', 's3', 's5']) await end(name)
    await Promise.all([done, staying, late])
    expect(begun).toEqual(['s1', 's3', 's5'])
  })

  it('do not begin what nobody waits for any more, and keep no place for work that failed', async () => {
    const { lanes, begun, begin, end } = stoppedLanes()
    const done = begin('second', 's1')
    const gone = begin('second', 's2', () => true)
    await Promise.all([expect(gone).rejects.toMatchObject(BUSY), end('s1')])
    await done
    await expect(lanes.carryOut('second', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(lanes.states()).toEqual([
      { lane: 'first', running: 0, waiting: 0 },
      { lane: 'second', running: 0, waiting: 0 },
    ])
    expect(begun).toEqual(['s1'])
  })
})
