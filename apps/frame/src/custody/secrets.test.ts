import { createKeyPairSignerFromBytes } from '@solana/kit'
import { base58 } from '@scure/base'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createEntropy, deriveEvm, deriveSolana, parseRecoveryPhrase } from './walletKeys.ts'
import { exportSecrets } from './secrets.ts'

test('exported secrets open the same addresses in viem and @solana/kit [K-15]', async () => {
  const entropy = createEntropy()
  const { phrase, evm, solana } = await exportSecrets(entropy)
  const address = (await deriveEvm(entropy, 0)).address
  expect(mnemonicToAccount(phrase).address).toBe(address)
  expect(privateKeyToAccount(evm as `0x${string}`).address).toBe(address)
  const signer = await createKeyPairSignerFromBytes(base58.decode(solana))
  expect(signer.address).toBe((await deriveSolana(entropy, 0)).address)
  expect(parseRecoveryPhrase(phrase)).toEqual(entropy)
})

test('the common test phrase yields the known addresses [K-15]', async () => {
  const phrase = `${'abandon '.repeat(11)}about`
  const exported = await exportSecrets(parseRecoveryPhrase(phrase))
  expect(exported.phrase).toBe(phrase)
  expect(privateKeyToAccount(exported.evm as `0x${string}`).address.toLowerCase()).toBe(
    '0x9858effd232b4033e47d90003d41ec34ecaeda94',
  )
  const { address } = await createKeyPairSignerFromBytes(base58.decode(exported.solana))
  expect(address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
})
