import { connect, disconnect, type Latchkey } from '@latchkey/core'
import { pendingTransactions } from '@latchkey/core/money'
import type { ReactElement, ReactNode } from 'react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render, type RenderResult } from 'vitest-browser-react'
import { sepolia } from 'viem/chains'
import { alice, announceWallet, createKitApp, renderInWagmi } from '../testing/kitWorld.ts'
import {
  ConnectButton,
  darkTheme,
  getDefaultConfig,
  lightTheme,
  midnightTheme,
  RainbowKitProvider,
  useAccountModal,
  useAddRecentTransaction,
  useChainModal,
  useConnectModal,
  WalletButton,
  type ConnectButtonState,
  type RainbowKitProviderProps,
} from './index.ts'

type World = { screen: RenderResult; latchkey: Latchkey }

async function renderKit(children: ReactNode, props: RainbowKitProviderProps = {}, name = ''): Promise<World> {
  const config = getDefaultConfig({ appName: 'App', ...createKitApp(name) })
  const { app, latchkey } = renderInWagmi(
    config,
    <RainbowKitProvider locale="en" {...props}>
      {children}
    </RainbowKitProvider>,
  )
  return { screen: await render(app), latchkey }
}

/** Connects the wallet of the page, once it is discovered. */
async function connectWallet({ latchkey }: World): Promise<void> {
  await expect.poll(() => latchkey.connectors.getState().map(({ id }) => id)).toContain('dev.wallet')
  await connect(latchkey, 'dev.wallet')
}

beforeEach(() => page.viewport(1000, 760))

const getThemeToken = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name)

test('the button connects with its label, then shows network, balance, and account', async () => {
  announceWallet()
  const world = await renderKit(<ConnectButton label="Sign up" />)
  await world.screen.getByRole('button', { name: 'Sign up' }).click()
  await world.screen.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
  await expect.element(world.screen.getByRole('button', { name: 'Ethereum' })).toBeVisible()
  await expect.element(world.screen.getByRole('button', { name: '1.234 ETH 0xf3…b92266' })).toBeVisible()
})

test('the button shows the ENS name of the account', async () => {
  announceWallet()
  const world = await renderKit(<ConnectButton showBalance={false} />, {}, 'alice.eth')
  await connectWallet(world)
  await expect.element(world.screen.getByRole('button', { name: 'alice.eth' })).toBeVisible()
})

test('the button shows only the parts that the app selects', async () => {
  announceWallet()
  const world = await renderKit(
    <>
      <ConnectButton accountStatus="avatar" chainStatus="none" showBalance={false} />
      <ConnectButton accountStatus="address" chainStatus="name" showBalance={false} />
    </>,
  )
  await connectWallet(world)
  await expect.element(world.screen.getByRole('button', { name: 'Ethereum' })).toBeVisible()
  const [avatar, address] = document.querySelectorAll('.latchkey-account')
  expect(avatar).toHaveTextContent('')
  expect(avatar).toHaveAttribute('aria-label', '0xf3…b92266')
  expect(avatar?.querySelector('.latchkey-avatar')).toBeVisible()
  expect(address).toHaveTextContent('0xf3…b92266')
  expect(address?.querySelector('.latchkey-avatar')).toBeNull()
  expect(document.querySelectorAll('[data-network]')).toHaveLength(1)
  expect(document.querySelector('[data-network] i')).not.toBeVisible()
})

test('a responsive value follows the width of the screen', async () => {
  announceWallet()
  const world = await renderKit(
    <ConnectButton chainStatus="none" accountStatus={{ smallScreen: 'avatar', largeScreen: 'full' }} />,
  )
  await connectWallet(world)
  const account = world.screen.getByRole('button', { name: '0xf3…b92266' })
  await expect.element(account).toHaveTextContent('1.234 ETH0xf3…b92266')
  await page.viewport(500, 700)
  await expect.element(account).toHaveTextContent('')
})

test(
  'the custom button receives the account, the network, and the state of the modal',
  { tags: 'browsers' },
  async () => {
    announceWallet()
    const states: ConnectButtonState[] = []
    const world = await renderKit(
      <ConnectButton.Custom>
        {(state) => {
          states.push(state)
          return <button onClick={state.openConnectModal}>Own button</button>
        }}
      </ConnectButton.Custom>,
    )
    expect(states.at(-1)).toMatchObject({
      account: undefined,
      chain: undefined,
      mounted: true,
      connectModalOpen: false,
    })
    expect(states.at(-1)?.authenticationStatus).toBeUndefined()
    await world.screen.getByRole('button', { name: 'Own button' }).click()
    await expect.poll(() => states.at(-1)?.connectModalOpen).toBe(true)
    await world.screen.getByRole('dialog').getByRole('button', { name: 'Dev Wallet' }).click()
    await expect.poll(() => states.at(-1)?.account?.displayBalance).toBe('1.234 ETH')
    expect(states.at(-1)).toMatchObject({
      account: {
        address: alice,
        balanceDecimals: 18,
        balanceFormatted: '1.2345',
        balanceSymbol: 'ETH',
        displayName: '0xf3…b92266',
        hasPendingTransactions: false,
      },
      chain: { id: 1, name: 'Ethereum', unsupported: false, hasIcon: false },
    })
    await expect.poll(() => states.at(-1)?.connectModalOpen).toBe(false)
    states.at(-1)?.openAccountModal()
    await expect.poll(() => states.at(-1)?.accountModalOpen).toBe(true)
    states.at(-1)?.openChainModal()
    await expect.poll(() => states.at(-1)).toMatchObject({ accountModalOpen: false, chainModalOpen: true })
  },
)

test('a network that the app does not use is unsupported', async () => {
  const extension = announceWallet()
  let state: ConnectButtonState | undefined
  const world = await renderKit(
    <ConnectButton.Custom>
      {(current) => {
        state = current
        return null
      }}
    </ConnectButton.Custom>,
  )
  await connectWallet(world)
  extension.setChain(10)
  await expect.poll(() => state?.chain).toMatchObject({ id: 10, unsupported: true })
})

test('the functions of the hooks exist only while they have an effect', async () => {
  announceWallet()
  function Names(): ReactElement {
    const functions = { ...useConnectModal(), ...useAccountModal(), ...useChainModal() }
    return <p>{Object.entries(functions).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))}</p>
  }
  const world = await renderKit(<Names />)
  await expect.element(world.screen.getByText('openConnectModal', { exact: true })).toBeVisible()
  await connectWallet(world)
  await expect.element(world.screen.getByText('openAccountModalopenChainModal', { exact: true })).toBeVisible()
  await disconnect(world.latchkey)
  await expect.element(world.screen.getByText('openConnectModal', { exact: true })).toBeVisible()
})

test('the wallet button and its custom form connect one wallet without a list', async () => {
  announceWallet()
  const world = await renderKit(
    <>
      <WalletButton wallet="dev wallet" />
      <WalletButton.Custom wallet="dev.wallet">
        {({ ready, connected, connector, connect: run }) => (
          <button disabled={!ready} onClick={() => void run()}>
            {connector.name} is {connected ? 'connected' : 'disconnected'}
          </button>
        )}
      </WalletButton.Custom>
    </>,
  )
  await expect.element(world.screen.getByRole('button', { name: 'Dev Wallet', exact: true })).toBeVisible()
  await world.screen.getByRole('button', { name: 'Dev Wallet is disconnected' }).click()
  await expect.element(world.screen.getByRole('button', { name: 'Dev Wallet is connected' })).toBeVisible()
})

test('the custom wallet button reports a declined connection', async () => {
  const extension = announceWallet()
  extension.rejectNext()
  const { screen, latchkey } = await renderKit(
    <WalletButton.Custom wallet="Dev Wallet">
      {({ error, connect: run }) => <button onClick={() => void run()}>{error ? 'Failed' : 'Go'}</button>}
    </WalletButton.Custom>,
  )
  await expect.poll(() => latchkey.connectors.getState()).toHaveLength(1)
  await screen.getByRole('button', { name: 'Go' }).click()
  await expect.element(screen.getByRole('button', { name: 'Failed' })).toBeVisible()
})

test('a theme sets the tokens of Latchkey, and the app’s own tokens take precedence', async () => {
  const theme = darkTheme({ accentColor: 'rgb(1, 2, 3)', borderRadius: 'none', overlayBlur: 'small' })
  const { screen } = await renderKit(<ConnectButton />, { theme })
  expect(getThemeToken('--latchkey-accent')).toBe('rgb(1, 2, 3)')
  expect(getThemeToken('--latchkey-radius')).toBe('0px')
  expect(getThemeToken('--latchkey-card')).toBe('')
  expect(screen.getByRole('button').element()).toHaveAttribute('data-theme', 'dark')
  const style = document.createElement('style')
  style.textContent = ':root { --latchkey-accent: rgb(9, 9, 9) }'
  document.head.append(style)
  onTestFinished(() => style.remove())
  expect(getThemeToken('--latchkey-accent')).toBe('rgb(9, 9, 9)')
})

test('two themes follow the mode of the system, and both end with the provider', async () => {
  const theme = { lightMode: lightTheme({ accentColor: 'rgb(4, 4, 4)' }), darkMode: midnightTheme() }
  const { screen } = await renderKit(<ConnectButton />, { theme })
  expect(screen.getByRole('button').element()).toHaveAttribute('data-theme', 'system')
  expect(getThemeToken('--latchkey-accent')).toBe(
    matchMedia('(prefers-color-scheme: dark)').matches ? '' : 'rgb(4, 4, 4)',
  )
  await screen.unmount()
  expect(getThemeToken('--latchkey-accent')).toBe('')
})

test('the provider selects the first network of users without a choice', async () => {
  const { latchkey } = await renderKit(<ConnectButton />, { initialChain: sepolia })
  await expect.poll(() => latchkey.wallet.getState().chosen.eip155).toBe(`eip155:${sepolia.id}`)
})

test('the avatar of the app replaces Latchkey’s own', async () => {
  announceWallet()
  const world = await renderKit(<ConnectButton />, {
    avatar: ({ address, ensImage, size }) => <b>{`${address} ${ensImage} ${size}`}</b>,
  })
  await connectWallet(world)
  await expect.element(world.screen.getByText(`${alice} null 24`)).toBeVisible()
})

test.each([true, false])(
  'with showRecentTransactions=%s, a transaction of the app is listed accordingly',
  async (isShown) => {
    announceWallet()
    const hash = `0x${'ab'.repeat(32)}`
    function Send(): ReactElement {
      const addRecentTransaction = useAddRecentTransaction()
      return <button onClick={() => addRecentTransaction({ hash, description: 'Vote' })}>Send</button>
    }
    const world = await renderKit(<Send />, { showRecentTransactions: isShown })
    await connectWallet(world)
    await world.screen.getByRole('button', { name: 'Send' }).click()
    const hashes = (): string[] =>
      pendingTransactions(world.latchkey)
        .getState()
        .map((each) => each.hash)
    if (isShown) await expect.poll(hashes).toEqual([hash])
    expect(hashes()).toEqual(isShown ? [hash] : [])
  },
)
