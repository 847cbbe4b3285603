import type { Page } from '@playwright/test'

/** An account at an identity provider of the test world. */
export type ProviderPerson = {
  name: string
  email: string
  /** False if the provider reports that it did not verify the address. Default: true. */
  verified?: boolean
}

/**
 * Allows a login on the page of an identity provider of the test world. The provider accepts any identity.
 *
 * @param window the window that the login opened
 * @param person the account that logs in
 * @throws an error of Playwright if the window does not show the provider's page
 * @example
 * const opened = page.waitForEvent('popup')
 * await page.getByRole('button', { name: 'Continue with Google' }).click()
 * await allowProviderLogin(await opened, { name: 'Ann', email: 'ann@example.org' })
 */
export async function allowProviderLogin(window: Page, person: ProviderPerson): Promise<void> {
  await window.getByLabel('Name').fill(person.name)
  await window.getByLabel('E-mail').fill(person.email)
  await window.getByLabel('The address is verified').setChecked(person.verified ?? true)
  await window.getByRole('button', { name: 'Allow' }).click()
}

/**
 * Declines a login on the page of an identity provider of the test world.
 *
 * @param window the window that the login opened
 * @throws an error of Playwright if the window does not show the provider's page
 * @example await denyProviderLogin(await opened)
 */
export async function denyProviderLogin(window: Page): Promise<void> {
  await window.getByRole('button', { name: 'Deny' }).click()
}
