import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { versionOf, type Program } from './programs.ts'
import { runCommand } from './runCommand.ts'

/**
 * Uses what is installed where it is new enough, else installs or upgrades that alone. Says the version of each, before it runs
 * anything. Answers for each that cannot be used, by its name, what is wrong and what a person can do.
 */
export async function providePrograms(
  programs: readonly Program[],
  say: (line: string) => void = console.log,
): Promise<Map<string, string>> {
  const wanting: Program[] = []
  for (const program of programs) {
    const wrong = await whatIsWrong(program)
    say(wrong ?? (await sentence(program)))
    if (wrong) wanting.push(program)
  }
  const install = installer()
  const missing = new Map<string, string>()
  for (const program of wanting) {
    // It may have come with one before.
    const failure = (await whatIsWrong(program)) && (await install(program))
    const wrong = await whatIsWrong(program)
    const { name, version, without } = program
    if (!wrong) say(await sentence(program))
    else if (without && (await version()) === undefined) say(`${name}: ${failure} Until then ${without}.`)
    else missing.set(name, `${wrong} ${failure ?? 'Debian has no later one for this machine.'}`)
  }
  return missing
}

const sentence = async ({ name, version }: Program) => `${name} ${await version()}`

const { compare } = new Intl.Collator('en', { numeric: true })

async function whatIsWrong({ name, version, oldest, why }: Program): Promise<string | undefined> {
  const found = await version()
  if (found === undefined) return `${name} is not here: the tests need ${oldest} or later (${why}).`
  return compare(found, oldest) < 0
    ? `${name} ${found} is too old: the tests need ${oldest} or later (${why}).`
    : undefined
}

type Install = (program: Program) => Promise<string | undefined>

/** Installs as root, where there is apt; answers what a person can do where this fails. */
function installer(): Install {
  let updated: Promise<number> | undefined
  const apt = async (packages: readonly string[]) => {
    const names = packages.join(' ')
    if (versionOf('apt-get') === undefined) return `There is no apt-get here: install what Debian calls ${names}.`
    if (process.getuid?.() !== 0) return `Only root can do it: apt-get update && apt-get install ${names}`
    // Once, and before anything: old lists name packages that the archive no longer has.
    updated ??= runCommand(['apt-get', 'update', '-qq', ...WAIT], QUIET)
    if ((await updated) !== 0) return 'This failed: apt-get update'
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...WAIT, ...packages]
    return (await runCommand(['apt-get', ...args], QUIET)) === 0 ? undefined : `This failed: apt-get install ${names}`
  }
  return async ({ packages, installedBy, first, isService, chosenBy }) => {
    if (chosenBy) return `${chosenBy} chose it: set it to another, or to none.`
    if (!packages) return installedBy ? `${installedBy} installs it.` : 'Install it by hand.'
    const failure = first && (await apt(first.packages))
    if (failure) return failure
    first?.prepare()
    return isService ? withoutStarting(() => apt(packages)) : apt(packages)
  }
}

const QUIET = { DEBIAN_FRONTEND: 'noninteractive' }

// A machine that has just started may be upgrading itself.
const WAIT = ['-o', 'DPkg::Lock::Timeout=300']

const POLICY = '/usr/sbin/policy-rc.d'

/** Debian's package would start a server of its own on port 80; invoke-rc.d(8) asks this file first. */
async function withoutStarting<T>(act: () => Promise<T>): Promise<T> {
  const isOurs = process.getuid?.() === 0 && !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return await act()
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}
