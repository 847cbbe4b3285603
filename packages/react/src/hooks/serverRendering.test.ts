import { connect } from '@latchkey/core'
import { fakeConnector, fakeStorage, fakeWorld } from '@latchkey/core/fakes'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as hooks from '../index.ts'
import { fakeServer } from '../testing/fakeServer.ts'

const { LatchkeyProvider } = hooks
const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const abi = [
  { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
] as const
const read = { abi, address, functionName: 'totalSupply' } as const

/** Each hook as an app calls it, and the initial value that a server renders. */
const calls: Readonly<Record<string, () => unknown>> = {
  useAccount: () => hooks.useAccount().status,
  useAccounts: () => hooks.useAccounts().length,
  useBalance: () => hooks.useBalance().status,
  useCapabilities: () => hooks.useCapabilities().status,
  useConnect: () => hooks.useConnect().status,
  useConnections: () => hooks.useConnections().length,
  useConnectors: () => hooks.useConnectors().length,
  useDisconnect: () => hooks.useDisconnect().status,
  useEnsAvatar: () => hooks.useEnsAvatar({ name: 'visitor.eth' }).status,
  useEnsName: () => hooks.useEnsName({ address }).status,
  useHistory: () => hooks.useHistory().status,
  useIdentity: () => hooks.useIdentity().status,
  useLatchkey: () => typeof hooks.useLatchkey(),
  useLatchkeyEvents: () => hooks.useLatchkeyEvents(() => {}),
  useModal: () => hooks.useModal().open,
  useNetworks: () => hooks.useNetworks().networks.length,
  useNfts: () => hooks.useNfts().status,
  useReadContract: () => hooks.useReadContract(read).status,
  useReadContracts: () => hooks.useReadContracts({ contracts: [read] }).status,
  useSendTransaction: () => hooks.useSendTransaction().status,
  useSignIn: () => hooks.useSignIn().status,
  useSignMessage: () => hooks.useSignMessage().status,
  useSignTypedData: () => hooks.useSignTypedData().status,
  useSwitchAccount: () => hooks.useSwitchAccount(),
  useSwitchConnection: () => hooks.useSwitchConnection(),
  useSwitchNetwork: () => hooks.useSwitchNetwork().status,
  useTheme: () => hooks.useTheme(),
  useTokens: () => hooks.useTokens().status,
  useWaitForTransaction: () => hooks.useWaitForTransaction({ hash: '0x01' }).status,
  useWalletCalls: () => hooks.useWalletCalls(),
  useWriteContract: () => hooks.useWriteContract().status,
}

test('every hook of the public entry is rendered here', () => {
  expect(
    Object.keys(hooks)
      .filter((name) => /^use[A-Z]/.test(name))
      .toSorted(),
  ).toEqual(Object.keys(calls))
})

test.each(Object.entries(calls))('%s renders on a server, without a page, and sends no request', async (_, call) => {
  expect(typeof document).toBe('undefined')
  const server = fakeServer({})
  const storage = fakeStorage()
  await connect(fakeWorld({ storage, connectors: [fakeConnector()] }).latchkey, 'fake')
  const { latchkey } = fakeWorld({
    storage,
    connectors: [fakeConnector({ restores: true })],
    server: server.url,
    projectId: server.projectId,
  })
  function Page(): ReactElement {
    return createElement('output', null, String(call()))
  }
  const markup = renderToString(createElement(LatchkeyProvider, { latchkey }, createElement(Page)))
  expect(markup).toContain('<output>')
  expect(server.requests).toEqual([])
})
