import { expect, test } from 'vitest'
import * as core from './index.ts'
import * as fakes from './testing/fakes.ts'
import * as testing from './testing/index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(core).toSorted()).toMatchInlineSnapshot(`
    [
      "abandonModal",
      "abandonPairing",
      "cancelSignIn",
      "chooseAccounts",
      "closeModal",
      "companion",
      "connect",
      "connectAll",
      "cookieStorage",
      "createLatchkey",
      "currentEntry",
      "disconnect",
      "dismissAlert",
      "dismissModal",
      "displayAmount",
      "embedModal",
      "finishConnecting",
      "formatAmount",
      "getAccount",
      "getAccounts",
      "getBalance",
      "getCallsStatus",
      "getCapabilities",
      "getConnections",
      "getIdentity",
      "getTokens",
      "getWalletAssets",
      "getWallets",
      "goBack",
      "grantPermissions",
      "hideToast",
      "holdRequest",
      "isApproved",
      "isExcluded",
      "lazyConnector",
      "listConnectMethods",
      "listWallets",
      "localSignIn",
      "memoryStorage",
      "modalReady",
      "openModal",
      "orAborted",
      "pageStorage",
      "pair",
      "parseAmount",
      "pushView",
      "recall",
      "replaceView",
      "request",
      "resetView",
      "revokePermissions",
      "sendCalls",
      "sendTransaction",
      "serverSignIn",
      "setActiveNamespace",
      "shortenAddress",
      "showAlert",
      "showToast",
      "signIn",
      "signMessage",
      "signOut",
      "start",
      "switchAccount",
      "switchConnection",
      "switchNetwork",
      "systemClock",
      "verifyMessage",
      "waitForCalls",
      "waitForTransaction",
      "walletImageUrl",
      "walletPatience",
      "walletsPerPage",
      "walletsPerSearch",
      "within",
    ]
  `)
})

test('exports these names for tests, the fakes also without any test framework', () => {
  expect(Object.keys(fakes).toSorted()).toMatchInlineSnapshot(`
    [
      "failureOf",
      "fakeAccount",
      "fakeAdapter",
      "fakeAddress",
      "fakeConnector",
      "fakeHash",
      "fakeNetwork",
      "fakeSignature",
      "fakeStorage",
      "fakeWorld",
      "manualClock",
      "settled",
    ]
  `)
  const suites = Object.keys(testing).filter((name) => !Object.keys(fakes).includes(name))
  expect(suites).toEqual(['describeAdapter', 'describeConnector', 'describeStorage'])
  expect(Object.keys(testing)).toEqual(expect.arrayContaining(Object.keys(fakes)))
})
