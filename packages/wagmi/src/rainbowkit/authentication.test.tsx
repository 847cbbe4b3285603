import { connect, disconnect, type Latchkey } from '@latchkey/core'
import { useMemo, useState, type ReactElement } from 'react'
import { verifyMessage, type Hex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { alice, announceWallet, bob, createKitApp, renderInWagmi, keys } from '../testing/kitWorld.ts'
import {
  ConnectButton,
  createAuthenticationAdapter,
  getDefaultConfig,
  RainbowKitAuthenticationProvider,
  RainbowKitProvider,
  useConnectModal,
  type AuthenticationStatus,
} from './index.ts'

/** The server of an app: the account that is signed in, and the calls it received. */
type Server = {
  readonly state: { signedIn: string | undefined; calls: readonly string[] }
  call(name: 'signOut' | 'verify', signedIn: string | undefined): void
}

function createServer(): Server {
  const state: Server['state'] = { signedIn: undefined, calls: [] }
  return {
    state,
    call(name, signedIn) {
      Object.assign(state, { signedIn, calls: [...state.calls, name] })
    },
  }
}

function App({ server, initial }: { server: Server; initial: AuthenticationStatus }): ReactElement {
  const [status, setStatus] = useState(initial)
  const adapter = useMemo(
    () =>
      createAuthenticationAdapter({
        getNonce: async () => 'nonce12345',
        createMessage: ({ nonce, address, chainId }) =>
          createSiweMessage({ domain: location.host, uri: location.origin, version: '1', nonce, address, chainId }),
        async verify({ message, signature }) {
          const { address } = parseSiweMessage(message)
          const isValid =
            address !== undefined && (await verifyMessage({ address, message, signature: signature as Hex }))
          server.call('verify', isValid ? address : undefined)
          if (isValid) setStatus('authenticated')
          return isValid
        },
        async signOut() {
          server.call('signOut', undefined)
          setStatus('unauthenticated')
        },
      }),
    [server],
  )
  return (
    <RainbowKitAuthenticationProvider adapter={adapter} status={status}>
      <RainbowKitProvider locale="en">
        <ConnectButton label="Connect" showBalance={false} />
        <Status />
        <button onClick={() => setStatus('unauthenticated')}>Expire</button>
        <button onClick={() => setStatus('authenticated')}>Load</button>
      </RainbowKitProvider>
    </RainbowKitAuthenticationProvider>
  )
}

function Status(): ReactElement {
  const { openConnectModal } = useConnectModal()
  return (
    <ConnectButton.Custom>
      {({ authenticationStatus }) => (
        <p>
          {authenticationStatus}, {openConnectModal === undefined ? 'done' : 'open'}
        </p>
      )}
    </ConnectButton.Custom>
  )
}

async function renderApp(initial: AuthenticationStatus = 'unauthenticated') {
  const server = createServer()
  const { app, latchkey } = renderInWagmi(
    getDefaultConfig({ appName: 'App', ...createKitApp() }),
    <App server={server} initial={initial} />,
  )
  const screen = await render(app)
  const signButton = screen.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true })
  return { screen, server, latchkey, signButton }
}

async function connectWallet(latchkey: Latchkey): Promise<void> {
  await expect.poll(() => latchkey.connectors.getState()).toHaveLength(1)
  await connect(latchkey, 'dev.wallet')
}

test('a user who connects is asked to sign in, and a disconnect signs the user out', async () => {
  announceWallet()
  const { screen, server, latchkey, signButton } = await renderApp()
  await screen.getByRole('button', { name: 'Connect', exact: true }).click()
  await screen.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
  await expect.element(screen.getByText('unauthenticated, open')).toBeInTheDocument()
  await signButton.click()
  await expect.element(screen.getByText('authenticated, done')).toBeVisible()
  expect(server.state).toEqual({ signedIn: alice, calls: ['verify'] })
  await expect.element(screen.getByRole('button', { name: '0xf3…b92266' })).toBeVisible()
  await disconnect(latchkey)
  await expect.poll(() => server.state).toEqual({ signedIn: undefined, calls: ['verify', 'signOut'] })
  await expect.element(screen.getByText('unauthenticated, open')).toBeVisible()
})

test('cancelling the sign-in disconnects the wallet', async () => {
  announceWallet()
  const { screen, latchkey, signButton } = await renderApp()
  await connectWallet(latchkey)
  await expect.element(signButton).toBeVisible()
  await screen.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => latchkey.wallet.getState().namespaces.eip155?.status).toBe('disconnected')
})

test('another account of the wallet has to sign in itself', { tags: 'browsers' }, async () => {
  const extension = announceWallet()
  const { server, latchkey, signButton } = await renderApp()
  await connectWallet(latchkey)
  await signButton.click()
  await expect.poll(() => server.state.signedIn).toBe(alice)
  extension.setAccounts([keys[1]])
  await expect.poll(() => server.state.calls).toEqual(['verify', 'signOut'])
  await signButton.click()
  await expect.poll(() => server.state.signedIn).toBe(bob)
})

test(
  'a session that the app loads is not asked for, and can be asked for after it expired',
  { tags: 'browsers' },
  async () => {
    const extension = announceWallet()
    const { screen, server, latchkey, signButton } = await renderApp('loading')
    await connectWallet(latchkey)
    await screen.getByRole('button', { name: 'Load' }).click()
    await expect.poll(() => latchkey.signIn.getState().status).toBe('signed')
    await screen.getByRole('button', { name: 'Expire' }).click()
    await expect.poll(() => latchkey.signIn.getState().status).toBe('unsigned')
    expect(extension.requests.filter(({ method }) => method === 'personal_sign')).toEqual([])
    await screen.getByRole('button', { name: 'Connect', exact: true }).click()
    await signButton.click()
    await expect.poll(() => server.state.signedIn).toBe(alice)
  },
)
