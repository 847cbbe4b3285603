import { localSignIn, memoryStorage } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeLogin, fakeWorld, manualClock, type FakeWorld } from '@latchkey/core/fakes'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ConnectButton } from '../../button/ConnectButton.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../../LatchkeyProvider.tsx'
import { LatchkeyEmbed } from '../../LatchkeyEmbed.tsx'
import { fakeTransfers } from '../fakeTransfers.ts'
import { createWallets } from './createWallets.ts'
import { holdRequests } from './holdRequests.ts'
import { holder, type Traffic } from './serveTraffic.ts'

/** The options of an app, and its state before the first action. */
export type Situation = {
  connected: boolean
  signIn: 'none' | 'required' | 'optional'
  unsupportedNetworks: 'ignore' | 'inform' | 'require'
  multiWallet: boolean
  connectAllNamespaces: boolean
  embedded: boolean
}

/** The properties of the provider, and if it and an embedded modal are mounted. */
export type Look = { locale: string; theme: 'light' | 'dark' | 'system'; isMounted: boolean; isEmbedded: boolean }

const ether = 10n ** 18n

function createWorld(situation: Situation, traffic: Traffic) {
  const clock = manualClock()
  const adapter = fakeAdapter({ balances: { [holder]: 5n * ether }, clock })
  const transfers = fakeTransfers(adapter)
  const gate = holdRequests(adapter)
  const login = fakeLogin({ clock, accountType: 'eoa' })
  const wallets = createWallets(login)
  const policy = localSignIn({ storage: memoryStorage(), required: situation.signIn === 'required' })
  const world: FakeWorld = fakeWorld({
    adapters: [adapter, fakeAdapter({ namespace: 'solana', clock })],
    connectors: Object.values(wallets),
    clock,
    server: traffic.server.url,
    projectId: '0'.repeat(32),
    unsupportedNetworks: situation.unsupportedNetworks,
    multiWallet: situation.multiWallet,
    connectAllNamespaces: situation.connectAllNamespaces,
    ...(situation.signIn === 'none' ? {} : { siwx: policy }),
  })
  return { ...world, wallets, login, transfers, gate }
}

export type ActionApp = ReturnType<typeof createActionApp>

/** Creates an app with two instances. */
export function createActionApp(situation: Situation, traffic: Traffic) {
  const world = createWorld(situation, traffic)
  const other = fakeWorld({ connectors: [fakeConnector({ name: 'Other Wallet' })] })
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  let look: Look = { locale: 'en', theme: 'light', isMounted: true, isEmbedded: situation.embedded }
  const draw = (change: Partial<Look>): void => {
    look = { ...look, ...change }
    const { isMounted, isEmbedded, ...rest } = look
    root.render(
      <StrictMode>
        {isMounted && (
          <LatchkeyProvider latchkey={world.latchkey} {...(rest satisfies Partial<LatchkeyProviderProps>)}>
            <ConnectButton />
            {isEmbedded && <LatchkeyEmbed />}
          </LatchkeyProvider>
        )}
        <LatchkeyProvider latchkey={other.latchkey}>
          <ConnectButton label="Other" />
        </LatchkeyProvider>
      </StrictMode>,
    )
  }
  return {
    ...world,
    other,
    container,
    situation,
    traffic,
    look: () => look,
    draw,
    /** Ends everything that others keep waiting. */
    finishRequests() {
      traffic.isDown = false
      world.adapter.unreachable = false
      world.wallets.silent.reject()
      world.wallets.deaf.reject()
      world.gate.release()
      world.login.closeWindow()
      world.login.approveDevice()
      world.login.show(undefined)
      world.transfers.end({ status: 'mined', blockNumber: 1n })
    },
    unmount() {
      root.unmount()
      container.remove()
    },
  }
}
