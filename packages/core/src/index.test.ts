import { expect, test } from 'vitest'
import * as core from './index.ts'
import * as fakes from './testing/fakes.ts'
import * as testing from './testing/index.ts'

test('the public entry exports these names and no others', () => {
  expect(Object.keys(core).toSorted()).toMatchInlineSnapshot(`
    [
      "cancelSignIn",
      "chooseAccounts",
      "connect",
      "connectAll",
      "cookieStorage",
      "createLatchkey",
      "disconnect",
      "displayAmount",
      "formatAmount",
      "getAccount",
      "getAccounts",
      "getBalance",
      "getCallsStatus",
      "getCapabilities",
      "getConnections",
      "getEnsAvatar",
      "getEnsName",
      "getHistory",
      "getIdentity",
      "getNfts",
      "getTokens",
      "getWalletAssets",
      "getWallets",
      "grantPermissions",
      "hydrate",
      "isLatchkeyError",
      "listWallets",
      "localSignIn",
      "memoryStorage",
      "networkImageUrl",
      "pageStorage",
      "parseAmount",
      "readContract",
      "readContracts",
      "recordLog",
      "request",
      "revokePermissions",
      "selectCookies",
      "sendCalls",
      "sendTransaction",
      "serverSignIn",
      "setActiveNamespace",
      "shortenAddress",
      "signIn",
      "signMessage",
      "signOut",
      "signTypedData",
      "start",
      "supports",
      "switchAccount",
      "switchConnection",
      "switchNetwork",
      "systemClock",
      "verifyMessage",
      "waitForCalls",
      "waitForTransaction",
      "walletImageUrl",
      "writeContract",
    ]
  `)
})

test('exports these names for tests, the fakes also without any test framework', () => {
  expect(Object.keys(fakes).toSorted()).toMatchInlineSnapshot(`
    [
      "fakeAccount",
      "fakeAdapter",
      "fakeAddress",
      "fakeConnector",
      "fakeExchange",
      "fakeHash",
      "fakeLocks",
      "fakeLogin",
      "fakeLoginWorld",
      "fakeNetwork",
      "fakeSignature",
      "fakeStorage",
      "fakeWorld",
      "flushTasks",
      "getRejection",
      "manualClock",
    ]
  `)
  const suites = Object.keys(testing).filter((name) => !Object.keys(fakes).includes(name))
  expect(suites).toEqual(['describeAdapter', 'describeConnector', 'describeStorage', 'describeTransfers'])
  expect(Object.keys(testing)).toEqual(expect.arrayContaining(Object.keys(fakes)))
})
