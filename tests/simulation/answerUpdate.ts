import type { Chance } from './Chance.ts'
import type { Tab } from './Tab.ts'
import type { World } from './World.ts'

const MINUTE = 60_000

/** From the word of a person to the page that is loaded anew: the takeover, what is typed, and a moment. */
const REFRESHED_WITHIN_MS = 6_000

/** A page may say that there is a new version. Somebody reads it some time, and says "Refresh", or "Later". */
export function answerUpdate(world: World, chance: Chance, tab: Tab, phase: string): void {
  if (phase !== 'available') return
  const { name } = tab.tablet
  world.say(`${name} offers to refresh tab ${tab.number}`)
  tab.after(world.isClosing ? chance.between(0, 2 * MINUTE) : chance.around(60 * MINUTE), answer)

  function answer(): void {
    const { appUpdate, snoozeUpdate, acceptUpdate } = tab.code
    if (appUpdate.phase !== 'available') return
    // The screen says nothing meanwhile.
    if (!tab.isFree) return void tab.after(MINUTE, answer)
    if (!world.isClosing && chance.happens(0.2)) return snoozeUpdate()
    tab.tablet.show(tab)
    world.say(`${name} is told to refresh tab ${tab.number}`)
    void acceptUpdate()
    world.timeline.in(REFRESHED_WITHIN_MS, async () => {
      if (tab.isAlive) world.fail(`${name} did not refresh a page, as it was told to`)
    })
  }
}
