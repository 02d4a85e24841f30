import type { Page } from '@playwright/test'
import { PASSWORD } from '../database/builders.ts'

export const DESK = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Fills in the login form that is shown and sends it. */
export async function submitLogin(page: Page, email: string, password: string = PASSWORD) {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Login').click()
}

export async function fillNew(page: Page, password: string, repeat = password) {
  await field(page, 'New password').fill(password)
  await field(page, 'Repeat new password').fill(repeat)
}
