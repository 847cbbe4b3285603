import { createSimulatedExtension, announce } from '@latchkey/testkit'
import { privateKeyToAddress } from 'viem/accounts'
import { mainnet, sepolia } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { createApp, h, type Component } from 'vue'
import { memoryStorage } from '@latchkey/core'
import { EthersAdapter } from '../adapters/ethers/EthersAdapter.ts'
import { connectWalletById } from '../walletButton/connectWalletById.ts'
import {
  createAppKit,
  useAppKitAccount,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo,
} from './index.ts'

// The first key of every development chain. It is funded there only.
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const options = {
  adapters: [new EthersAdapter()],
  networks: [mainnet, sepolia] as const,
  projectId: 'ab'.repeat(16),
  latchkey: { server: false, relayUrl: false, storage: memoryStorage() },
} as const

const Account: Component = {
  setup() {
    const [account, network, state, theme] = [
      useAppKitAccount(),
      useAppKitNetwork(),
      useAppKitState(),
      useAppKitTheme(),
    ]
    const [provider, info, event] = [useAppKitProvider('eip155'), useWalletInfo(), useAppKitEvents()]
    const { disconnect } = useDisconnect()
    return () =>
      h('main', [
        h('p', `${account.value.status} ${account.value.address ?? ''} on ${network.value.caipNetwork?.name}`),
        h('p', `${state.value.open ? 'open' : 'closed'} ${theme.value.themeMode} ${info.value?.name ?? 'no wallet'}`),
        h('p', `${provider.value.walletProviderType} ${event.value.data.event}`),
        h('button', { onClick: () => disconnect() }, 'Leave'),
      ])
  },
}

function render(): HTMLElement {
  const container = document.createElement('div')
  document.body.append(container)
  const app = createApp(Account)
  app.mount(container)
  onTestFinished(() => {
    app.unmount()
    container.remove()
  })
  return container
}

test('composables follow the account, the network, the theme and a new instance', async () => {
  const extension = createSimulatedExtension({
    privateKeys: [key],
    rpcUrls: { 1: 'http://127.0.0.1:9/', 11_155_111: 'http://127.0.0.1:9/' },
    chainId: 1,
    info: { rdns: 'dev.wallet', name: 'Dev Wallet' },
  })
  onTestFinished(announce(extension, window))
  const appKit = createAppKit(options)
  const container = render()
  expect(container.textContent).toContain('disconnected')
  await connectWalletById(appKit, 'dev.wallet')
  await expect.poll(() => container.textContent).toContain(`connected ${privateKeyToAddress(key)} on Ethereum`)
  expect(container.textContent).toContain('Dev Wallet')
  expect(container.textContent).toContain('ANNOUNCED CONNECT_SUCCESS')
  await appKit.switchNetwork(sepolia)
  await expect.poll(() => container.textContent).toContain('on Sepolia')
  appKit.setThemeMode('dark')
  await expect.poll(() => container.textContent).toContain('closed dark')
  container.querySelector('button')?.click()
  await expect.poll(() => container.textContent).toContain('disconnected')

  const second = createAppKit({
    ...options,
    defaultNetwork: mainnet,
    latchkey: { ...options.latchkey, storage: memoryStorage() },
  })
  onTestFinished(second.destroy)
  await expect.poll(() => container.textContent).toContain('on Ethereum')
})

test('composables before createAppKit throw an error that says what to do', () => {
  let failure: unknown
  const app = createApp({ setup: () => ({ account: useAppKitAccount() }), render: () => undefined })
  app.config.errorHandler = (error) => void (failure = error)
  app.mount(document.createElement('div'))
  expect(failure).toMatchObject({ code: 'appkit/missing' })
})
