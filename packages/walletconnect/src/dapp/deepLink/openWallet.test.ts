import { memoryStorage, type Storage } from '@latchkey/core'
import { describe, expect, test } from 'vitest'
import type { Metadata } from '../../session/metadata.ts'
import type { SessionConfig } from '../../session/sessionExtras.ts'
import { connectParties } from '../../testing/parties.ts'
import { startPartiesOverRelay } from '../../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

type OpenCase = { redirect?: Metadata['redirect']; sessionConfig?: SessionConfig; choice?: string; method?: string }

/** Returns the links that were opened until a request had its response. */
async function listOpenedLinks({
  redirect,
  sessionConfig,
  choice,
  method = 'personal_sign',
}: OpenCase): Promise<string[]> {
  const links: string[] = []
  const storage: Storage = memoryStorage()
  const chosen = JSON.stringify({ href: choice, name: 'Phone' })
  if (choice !== undefined) storage.setItem('WALLETCONNECT_DEEPLINK_CHOICE', chosen)
  const dapp = parties.dapp({ storage, phone: { system: 'ios', open: (link) => void links.push(link) } })
  const metadata = { name: 'Phone', description: '', url: '', icons: [], redirect }
  const phone = parties.phone({ metadata })
  const { topic } = await connectParties(dapp, phone, { sessionConfig })
  const states: string[] = []
  const onState = (state: string): void => void states.push(state)
  const pendingResponse = dapp.request({ topic, chainId: 'eip155:1', method, params: [], onState })
  const request = await phone.nextRequest()
  await expect.poll(() => states).toContain('delivered')
  // All links are open by now: the lazy module needs one microtask after another test has loaded it.
  await import('./openWallet.ts')
  await new Promise((resolve) => setImmediate(resolve))
  await phone.respond(request, { result: null })
  await pendingResponse
  return links.map((link) => link.replace(String(request.id), '<id>').replace(topic, '<topic>'))
}

const universal = 'https://wallet.example'
const native = 'wallet://'
const query = 'wc?requestId=<id>&sessionTopic=<topic>'

describe('a request on a phone', () => {
  test('opens the wallet by the wallet’s own link', async () => {
    expect(await listOpenedLinks({ redirect: { native, universal }, choice: 'other://' })).toEqual([
      `${universal}/${query}`,
    ])
  })

  test('opens the wallet by the link that the user chose if the wallet gave none', async () => {
    expect(await listOpenedLinks({ choice: 'wallet://' })).toEqual([`${native}${query}`])
  })

  test.each([
    ['if the user chose no link', { redirect: { native } }],
    [
      'if the session disables deep links',
      { redirect: { native }, choice: native, sessionConfig: { disableDeepLink: true } },
    ],
    ['of a method without user approval', { redirect: { native }, choice: native, method: 'wallet_getCapabilities' }],
    [
      'if the wallet’s links are unsafe',
      { redirect: { native: 'javascript:alert(1)//' }, choice: 'javascript:alert(1)//' },
    ],
  ])('opens no link for a request %s', { tags: 'faults' }, async (_, situation) => {
    expect(await listOpenedLinks(situation)).toEqual([])
  })
})
