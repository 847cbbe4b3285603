import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { read } from './readWallet.ts'

/** How long a wallet may take, in milliseconds. */
const patience = {
  /** To answer what it need not ask its owner. */
  read: 10_000,
  /** To get an approval. */
  approval: 300_000,
} as const

/** Puts the words of Latchkey and a time limit around what a wallet is asked. */
export type Guard = {
  /** Nothing comes of it but the answer: a wallet that is late is `wallet/unavailable`. */
  reading<answer>(method: string, ask: () => unknown, take: (answer: unknown) => answer): Promise<answer>
  /** Something may come of it: whether a wallet that is late did it is not known. */
  approving<answer>(method: string, ask: () => unknown, take: (answer: unknown) => answer): Promise<answer>
  /** Ends everything under way, and everything to come at once, because the wallet is gone. */
  abandon(): void
}

export function createGuard(wallet: string, clock: Clock): Guard {
  const underWay = new Set<() => void>()
  let isGone = false
  const gone = (): LatchkeyError => new LatchkeyError('wallet/unavailable', { wallet })

  async function within(milliseconds: number, late: () => LatchkeyError, ask: () => unknown): Promise<unknown> {
    if (isGone) throw gone()
    let finish = (): void => {}
    const tooLate = new Promise<never>((_, reject) => {
      const abandon = (): void => reject(late())
      const cancel = clock.after(milliseconds, abandon)
      underWay.add(abandon)
      finish = () => {
        cancel()
        underWay.delete(abandon)
      }
    })
    try {
      return await Promise.race([ask(), tooLate])
    } finally {
      finish()
    }
  }

  /** A wallet whose answer cannot even be read gave none that makes sense. */
  async function asked<answer>(
    method: string,
    answer: Promise<unknown>,
    take: (answer: unknown) => answer,
  ): Promise<answer> {
    let given: unknown
    try {
      given = await answer
    } catch (error) {
      throw error instanceof LatchkeyError ? error : translate(method, error)
    }
    try {
      return take(given)
    } catch (cause) {
      throw new LatchkeyError('wallet/invalid-answer', { wallet, method }, { cause })
    }
  }

  function translate(method: string, cause: unknown): LatchkeyError {
    if (isRejection(cause)) return new LatchkeyError('request/rejected', { method }, { cause })
    return new LatchkeyError('request/failed', { method, code: codeOf(cause), reason: reasonOf(cause) }, { cause })
  }

  const unknown = (method: string): LatchkeyError => new LatchkeyError('request/unknown', { method })
  return {
    reading: (method, ask, take) => asked(method, within(patience.read, gone, ask), take),
    approving: (method, ask, take) =>
      asked(
        method,
        within(patience.approval, () => unknown(method), ask),
        take,
      ),
    abandon() {
      isGone = true
      for (const end of underWay) end()
    },
  }
}

/** What a wallet says about a failure, short enough to show. */
export function reasonOf(error: unknown): string {
  const message = field(error, 'message')
  return typeof message === 'string' && message !== '' ? message.slice(0, 200) : 'it gave no reason'
}

function codeOf(error: unknown): number | undefined {
  const code = field(error, 'code')
  return typeof code === 'number' ? code : undefined
}

/** Whether the visitor said no, by code or in the words of wallets that give none. */
function isRejection(error: unknown): boolean {
  return codeOf(error) === 4001 || /\b(user )?(reject|declin|denied|cancel)/i.test(reasonOf(error))
}

/** A field of what may be anything, even something that throws when it is looked at. */
function field(error: unknown, name: string): unknown {
  try {
    return read(error, name)
  } catch {
    return undefined
  }
}
