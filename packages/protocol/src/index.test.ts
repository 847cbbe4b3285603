import { expect, test } from 'vitest'
import * as protocol from './index.ts'

test('exports these names and no others', () => {
  expect(Object.keys(protocol).toSorted()).toMatchInlineSnapshot(`
    [
      "LatchkeyError",
      "checkSignInMessage",
      "classifyMethod",
      "createErrors",
      "formatAccountId",
      "formatAssetId",
      "formatChainId",
      "formatSignInMessage",
      "frameAnswer",
      "frameError",
      "frameLimits",
      "frameNews",
      "frameRequest",
      "frameSocials",
      "frameTimes",
      "isAccountId",
      "isChainId",
      "isLatchkeyError",
      "isNamespace",
      "namespaces",
      "parseAccountId",
      "parseAssetId",
      "parseChainId",
      "parsePaymentUri",
      "parseSignInMessage",
      "readFrameMessage",
      "readFrameRequest",
      "receiveUri",
      "sharesAddresses",
      "signInWithEthereum",
      "writePaymentUri",
    ]
  `)
})
