import { describe, expect, it } from 'vitest'
import { GENERATOR_RULES, passwordRules } from './passwords.ts'

const brokenBy = (password: string) =>
  passwordRules(password, 'main@merchant.example').flatMap(({ rule, met }) => (met ? [] : [rule]))

describe('a password of a password manager', () => {
  it.each([
    ['Safari and the iPhone', 'gubVah-5bicfo-xuztaf'],
    ['an older Safari', 'kT4-vWm-8cR-eZq'],
    ['1Password', 'wNZ.6kj7WpF*u-A2Xtqb'],
    ['1Password, in words', 'Cornet-pelican5-aught-lemur'],
    ['Bitwarden', 'k3J$9xvQ!mW2pR'],
    ['Firefox with its symbols, and KeePassXC', '7Rq~mzP@dW9xKc2'],
    ['Chromium for a site whose rules it knows', 'vK9r-Zw3m-Qx5t-Hb'],
  ])('is accepted from %s', (_, password) => expect(brokenBy(password)).toEqual([]))

  it('of Chromium has letters and digits only, until it learns what a site wants: the specification wants a sign', () => {
    expect(brokenBy('vK9rZw3mQx5tHbd')).toEqual(['special'])
  })

  it('follows the same rules as the checklist', () => {
    expect(GENERATOR_RULES).toBe(
      'minlength: 12; maxlength: 128; required: lower; required: upper; required: digit; required: [-]',
    )
    expect(brokenBy('Ab1-Ab1-Ab1-')).toEqual([])
  })
})
