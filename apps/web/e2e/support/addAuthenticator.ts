import type { CDPSession, Page } from '@playwright/test'

/** Adds Chromium's virtual authenticator with a passkey store and PRF. It confirms every request of the page. */
export async function addAuthenticator(page: Page): Promise<{ session: CDPSession }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session }
}
