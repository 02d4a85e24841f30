import { expect, it } from 'vitest'
import { eventsPerHour, plotEvents, progressBar } from './plotEvents.ts'

const at = (hour: number) => `${new Date(Date.UTC(2026, 10, 21, 10 + hour)).toISOString()} something happens`

it('plots what happened in each hour of all worlds, the fullest hour as the longest bar', () => {
  const stories = [[at(0), at(0), at(2)], [at(0), 'broken: something'], [at(0)]]
  const plot = plotEvents(stories.map(eventsPerHour))
  expect(plot.map((line) => line.replaceAll(/█+/g, (bar) => `<${bar.length}>`).replaceAll(/ +/g, ' '))).toEqual([
    'hour 0 <40> 4',
    'hour 1 0',
    'hour 2 <10> 1',
  ])
})

it('puts hours of a long world together, and none of a world in which nothing happened', () => {
  const plot = plotEvents([eventsPerHour([at(0), at(71)])])
  expect(plot).toHaveLength(24)
  expect(plot.at(-1)).toMatch(/^hour {3}69 .* 1$/)
  expect(plotEvents([])).toHaveLength(1)
})

it('draws how far a world is, and never further than its end', () => {
  expect(progressBar(7, 0.5)).toBe(`seed 7 ${'█'.repeat(20)}${'░'.repeat(20)} 50%`)
  expect(progressBar(7, 1.2)).toMatch(/█ 100%$/)
})
