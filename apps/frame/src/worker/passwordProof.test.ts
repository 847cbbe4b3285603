import { describe, expect, test } from 'vitest'
import { createEntropy } from '../custody/walletKeys.ts'
import { signWalletProof } from '../custody/signWalletProof.ts'
import { trackCopiesOf } from '../testing/trackCopies.ts'
import { createPasswordProof } from './passwordProof.ts'

const challenge = new Uint8Array(32).fill(4)

/** An auth service that keeps the proofs, and refuses the first ones. */
function createAccount({ refusals = 0 } = {}) {
  const proofs: Array<{ challenge: Uint8Array; signature: Uint8Array }> = []
  const evaluations: unknown[] = []
  let challenges = 0
  return {
    proofs,
    evaluations,
    challenges: () => challenges,
    async evaluate(blinded: Uint8Array, version?: number) {
      evaluations.push([blinded, version])
      return { evaluated: new Uint8Array(32), version: 3 }
    },
    async passkeyChallenge() {
      challenges += 1
      if (challenges <= refusals) throw new Error('unreachable')
      return challenge
    },
    async proveWallet(proof: { challenge: Uint8Array; signature: Uint8Array }) {
      proofs.push(proof)
    },
  }
}

describe('the proof of a right password', () => {
  test('is signed by the wallet, once for all evaluations before it', async () => {
    const account = createAccount()
    const { evaluate, prove } = createPasswordProof(account)
    const entropy = createEntropy()
    const blinded = new Uint8Array(32).fill(9)
    expect(await evaluate(blinded, 2)).toEqual({ evaluated: new Uint8Array(32), version: 3 })
    await evaluate(blinded)
    expect(account.evaluations).toEqual([
      [blinded, 2],
      [blinded, undefined],
    ])
    await prove({ entropy })
    await prove({ entropy })
    expect(account.proofs).toEqual([{ challenge, signature: await signWalletProof(entropy, challenge) }])
  })

  test('is not sent without an evaluation', async () => {
    const account = createAccount()
    await createPasswordProof(account).prove({ entropy: createEntropy() })
    expect(account.challenges()).toBe(0)
  })

  test('is sent again after a failure, which is not reported', async () => {
    const account = createAccount({ refusals: 1 })
    const { evaluate, prove } = createPasswordProof(account)
    const entropy = createEntropy()
    await evaluate(new Uint8Array(32))
    await prove({ entropy })
    expect(account.proofs).toHaveLength(0)
    await prove({ entropy })
    expect(account.proofs).toHaveLength(1)
  })

  test.each([0, 1])('leaves the wallet open and no copy of its entropy after %i failures', async (refusals) => {
    const { evaluate, prove } = createPasswordProof(createAccount({ refusals }))
    const entropy = createEntropy()
    const before = Buffer.from(entropy)
    await evaluate(new Uint8Array(32))
    const copies = await trackCopiesOf(() => prove({ entropy }))
    expect(Buffer.from(entropy)).toEqual(before)
    expect(copies(before)).toBe(0)
  })

  test('signs with a copy, because the wallet may be locked meanwhile', async () => {
    const account = createAccount()
    const { evaluate, prove } = createPasswordProof(account)
    const entropy = createEntropy()
    const expected = await signWalletProof(entropy, challenge)
    await evaluate(new Uint8Array(32))
    const proving = prove({ entropy })
    entropy.fill(0)
    await proving
    expect(account.proofs[0]?.signature).toEqual(expected)
  })
})
