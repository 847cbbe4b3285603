import { memoryStorage, type Storage } from '@latchkey/core'
import { describe, expect, test } from 'vitest'
import type { Metadata, SessionConfig } from './session.ts'
import { connectParties } from './testing/parties.ts'
import { partiesOverRelay } from './testing/partiesOverRelay.ts'

const parties = partiesOverRelay()

type Situation = { redirect?: Metadata['redirect']; sessionConfig?: SessionConfig; choice?: string; method?: string }

/** The links that were opened until a request was answered. */
async function opened({ redirect, sessionConfig, choice, method = 'personal_sign' }: Situation): Promise<string[]> {
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
  const asking = dapp.request({ topic, chainId: 'eip155:1', method, params: [], onState })
  const request = await phone.nextRequest()
  await expect.poll(() => states).toContain('delivered')
  // Whatever is opened is opened by now: the module for it is a microtask away once another test has loaded it.
  await import('./openWallet.ts')
  await new Promise((resolve) => setImmediate(resolve))
  await phone.respond(request, { result: null })
  await asking
  return links.map((link) => link.replace(String(request.id), '<id>').replace(topic, '<topic>'))
}

const universal = 'https://wallet.example'
const native = 'wallet://'
const query = 'wc?requestId=<id>&sessionTopic=<topic>'

describe('a request on a phone', () => {
  test('opens the wallet by the link that the wallet gave', async () => {
    expect(await opened({ redirect: { native, universal }, choice: 'other://' })).toEqual([`${universal}/${query}`])
  })

  test('opens the wallet by the link that the visitor chose, where the wallet gave none', async () => {
    expect(await opened({ choice: 'wallet://' })).toEqual([`${native}${query}`])
  })

  test.each([
    ['of a visitor who opened no wallet by its link', { redirect: { native } }],
    [
      'of a wallet that does not want it',
      { redirect: { native }, choice: native, sessionConfig: { disableDeepLink: true } },
    ],
    ['that needs no person', { redirect: { native }, choice: native, method: 'wallet_getCapabilities' }],
    [
      'whose links could run something here',
      { redirect: { native: 'javascript:alert(1)//' }, choice: 'javascript:alert(1)//' },
    ],
  ])('opens nothing: one %s', async (_, situation) => {
    expect(await opened(situation)).toEqual([])
  })
})
