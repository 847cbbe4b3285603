import { connect, disconnect, type Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { useEffect, type ReactElement, type ReactNode } from 'react'
import { verifyMessage, type Hex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { createConfig } from 'wagmi'
import { expect, test } from 'vitest'
import { render, type RenderResult } from 'vitest-browser-react'
import { alice, announceWallet, createKitApp, renderInWagmi } from '../testing/kitWorld.ts'
import {
  Avatar,
  ChainIcon,
  ConnectKitButton,
  ConnectKitProvider,
  getDefaultConfig,
  SIWEProvider,
  useChainIsSupported,
  useChains,
  useModal,
  useSIWE,
  type ConnectKitButtonState,
  type ConnectKitProviderProps,
  type SIWESession,
} from './index.ts'

type World = { screen: RenderResult; latchkey: Latchkey }

async function renderKit(
  children: ReactNode,
  props: ConnectKitProviderProps = {},
  wrap: (provider: ReactElement) => ReactElement = (provider) => provider,
): Promise<World> {
  const config = createConfig(getDefaultConfig({ appName: 'App', ...createKitApp() }))
  const { app, latchkey } = renderInWagmi(config, wrap(<ConnectKitProvider {...props}>{children}</ConnectKitProvider>))
  return { screen: await render(app), latchkey }
}

async function connectWallet({ latchkey }: World): Promise<void> {
  await expect.poll(() => latchkey.connectors.getState().map(({ id }) => id)).toContain('dev.wallet')
  await connect(latchkey, 'dev.wallet')
}

test('the button connects with its label, then shows balance and account', async () => {
  announceWallet()
  const world = await renderKit(<ConnectKitButton label="Sign up" showBalance />, { options: { hideBalance: false } })
  await world.screen.getByRole('button', { name: 'Sign up' }).click()
  await world.screen.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
  await expect.element(world.screen.getByRole('button', { name: '1.23 ETH 0xf3…b92266' })).toBeVisible()
})

test('the button calls the function of the app in place of opening the modal', async () => {
  announceWallet()
  const opens: (() => void)[] = []
  const world = await renderKit(<ConnectKitButton label="Go" showAvatar={false} onClick={(open) => opens.push(open)} />)
  await world.screen.getByRole('button', { name: 'Go' }).click()
  expect(world.screen.getByRole('dialog').query()).toBeNull()
  opens[0]?.()
  await expect.element(world.screen.getByRole('dialog')).toBeVisible()
  await connectWallet(world)
  await expect.element(world.screen.getByRole('button', { name: '0xf3…b92266' })).toBeInTheDocument()
  expect(document.querySelector('.latchkey-account .latchkey-avatar')).toBeNull()
})

test('the custom button receives the account, the network, and functions that show and hide the modal', async () => {
  const extension = announceWallet()
  let state: ConnectKitButtonState | undefined
  const world = await renderKit(
    <ConnectKitButton.Custom>
      {(current) => {
        state = current
        return null
      }}
    </ConnectKitButton.Custom>,
  )
  expect(state).toMatchObject({ isConnected: false, isConnecting: false, address: undefined, chain: undefined })
  state?.show()
  await expect.element(world.screen.getByRole('dialog')).toBeVisible()
  state?.hide()
  await expect.poll(() => world.screen.getByRole('dialog').query()).toBeNull()
  await connectWallet(world)
  await expect
    .poll(() => state)
    .toMatchObject({ isConnected: true, address: alice, truncatedAddress: '0xf3…b92266', unsupported: false })
  expect(state?.chain?.name).toBe('Ethereum')
  extension.setChain(10)
  await expect.poll(() => state).toMatchObject({ unsupported: true, chain: undefined })
})

test('useModal opens the views that fit the state', async () => {
  announceWallet()
  const shown: { modal?: ReturnType<typeof useModal> } = {}
  function Reader(): null {
    const modal = useModal()
    useEffect(() => void Object.assign(shown, { modal }))
    return null
  }
  const world = await renderKit(<Reader />)
  const dialog = world.screen.getByRole('dialog')
  shown.modal?.openProfile()
  shown.modal?.openSIWE()
  expect(shown.modal?.open).toBe(false)
  shown.modal?.openAbout()
  await expect.element(dialog.getByRole('heading', { name: 'What is a wallet?' })).toBeVisible()
  shown.modal?.setOpen(false)
  await expect.poll(() => shown.modal?.open).toBe(false)
  await connectWallet(world)
  await expect.poll(() => world.latchkey.wallet.getState().namespaces.eip155?.status).toBe('connected')
  shown.modal?.openSwitchNetworks()
  await expect.element(dialog.getByRole('button', { name: 'Sepolia' })).toBeVisible()
  expect(shown.modal?.open).toBe(true)
})

test('the provider calls the functions of the app when a wallet connects and disconnects', async () => {
  announceWallet()
  const calls: unknown[] = []
  const world = await renderKit(null, {
    onConnect: (connection) => calls.push(connection),
    onDisconnect: () => calls.push('disconnect'),
  })
  await connectWallet(world)
  await disconnect(world.latchkey)
  expect(calls).toEqual([
    { address: expect.stringMatching(new RegExp(alice, 'i')), connectorId: 'dev.wallet' },
    'disconnect',
  ])
})

test('variables of a theme set the tokens of Latchkey', async () => {
  const { screen, latchkey } = await renderKit(<ConnectKitButton />, {
    theme: 'web95',
    mode: 'light',
    customTheme: { '--ck-accent-color': 'rgb(1, 2, 3)', '--ck-border-radius': '3px' },
    options: { enforceSupportedChains: true, overlayBlur: 2 },
  })
  const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name)
  expect(token('--latchkey-accent')).toBe('rgb(1, 2, 3)')
  expect(token('--latchkey-radius')).toBe('3px')
  expect(token('--latchkey-button-radius')).toBe('0px')
  expect(screen.getByRole('button').element()).toHaveAttribute('data-theme', 'light')
  expect(internalsOf(latchkey).settings.unsupportedNetworks).toBe('require')
})

test('avatars, icons and chains are those of the app', async () => {
  function Chains(): ReactElement {
    const names = useChains().map(({ name }) => name)
    return <p>{`${names.join()} ${useChainIsSupported(1)} ${useChainIsSupported(5)} ${useChainIsSupported()}`}</p>
  }
  const { screen } = await renderKit(
    <>
      <Avatar address={alice} size={40} />
      <ChainIcon id={1} unsupported />
      <ChainIcon />
      <Chains />
    </>,
    { options: { customAvatar: ({ address, size, radius }) => <b>{`${address} ${size} ${radius}`}</b> } },
  )
  await expect.element(screen.getByText(`${alice} 40 20`)).toBeVisible()
  await expect.element(screen.getByText('Ethereum,Sepolia true false null')).toBeVisible()
  const [known, unknown] = screen.getByRole('img').elements()
  expect(known).toHaveTextContent('E')
  expect(known).toHaveAttribute('data-unsupported', 'true')
  expect(unknown).toHaveAttribute('aria-label', 'Unknown chain')
})

test('a user can skip the sign-in, sign in later, and sign out', { tags: 'browsers' }, async () => {
  announceWallet()
  let session: SIWESession | null = null
  const calls: string[] = []
  function Session(): ReactElement {
    const { isSignedIn, data, signIn, signOut, status } = useSIWE({ onSignIn: () => calls.push('hook') })
    return (
      <>
        <p>{isSignedIn ? `${data?.address} on ${data?.chainId}` : status}</p>
        <button onClick={() => void signIn()}>Sign in now</button>
        <button onClick={() => void signOut()}>Sign out</button>
      </>
    )
  }
  const world = await renderKit(<Session />, {}, (provider) => (
    <SIWEProvider
      getNonce={async () => 'nonce12345'}
      createMessage={({ nonce, address, chainId }) =>
        createSiweMessage({
          domain: location.host,
          uri: location.origin,
          version: '1',
          nonce,
          address: address as Hex,
          chainId,
        })
      }
      verifyMessage={async ({ message, signature }) => {
        const { address = alice, chainId = 0 } = parseSiweMessage(message)
        session = { address, chainId }
        return verifyMessage({ address, message, signature: signature as Hex })
      }}
      getSession={async () => session}
      signOut={async () => {
        session = null
        return true
      }}
      onSignIn={() => calls.push('provider')}
      onSignOut={() => calls.push('out')}
    >
      {provider}
    </SIWEProvider>
  ))
  await connectWallet(world)
  await expect
    .element(world.screen.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }))
    .toBeVisible()
  await world.screen.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.element(world.screen.getByText('idle')).toBeVisible()
  await world.screen.getByRole('button', { name: 'Sign in now' }).click()
  await expect.element(world.screen.getByText(`${alice} on 1`)).toBeVisible()
  expect(calls.toSorted()).toEqual(['hook', 'provider'])
  await world.screen.getByRole('button', { name: 'Sign out' }).click()
  await expect.element(world.screen.getByText('idle')).toBeVisible()
  expect(session).toBeNull()
})
