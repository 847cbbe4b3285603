import type { ChainId, SignInSession } from '@latchkey/protocol'
import { systemClock, type Clock } from '../clock.ts'
import { pageStorage } from '../storage/pageStorage.ts'
import type { Storage } from '../storage/storage.ts'
import { draftOf, type SignInTexts } from './draft.ts'
import { isCurrent, readSessions } from './readSessions.ts'
import { sameAddress } from './sameAddress.ts'
import type { SignIn } from './signIn.ts'

export type LocalSignInOptions = SignInTexts & {
  /** Whether nobody stays connected without signing in; true when left out. */
  required?: boolean
  /** Where the sessions are kept; the page's localStorage when left out. */
  storage?: Storage
  clock?: Clock
}

const key = '@latchkey/siwx'
const week = 7 * 86_400_000

/**
 * Signs visitors in for this page alone: sessions are kept in its storage, for a week unless told otherwise, and
 * signatures are checked by the adapters. It proves nothing to a server, which has to see the signature itself:
 * `serverSignIn`.
 *
 * @example createLatchkey({ adapters, siwx: localSignIn({ statement: 'Welcome to Example.' }) })
 */
export function localSignIn(options: LocalSignInOptions = {}): SignIn {
  const { required = true, storage = pageStorage(), clock = systemClock, ...texts } = options
  const read = (): readonly SignInSession[] => {
    try {
      return readSessions(JSON.parse(storage.getItem(key) ?? '[]')).filter((each) => isCurrent(each, clock.now()))
    } catch {
      return []
    }
  }
  const write = (sessions: readonly SignInSession[]): void => {
    if (sessions.length === 0) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(sessions))
  }
  const others = (chainId: ChainId, address: string): readonly SignInSession[] =>
    read().filter(({ data }) => data.chainId !== chainId || !sameAddress(data.accountAddress, address))

  return {
    createMessage: (ask) => draftOf({ lifetime: week, ...texts }, ask, drawNonce(), clock.now()),
    async addSession(session) {
      const { chainId, accountAddress } = session.data
      write([...others(chainId, accountAddress), session])
    },
    setSessions: async (sessions) => write(sessions),
    getSessions: async (chainId, address) =>
      read().filter(({ data }) => data.chainId === chainId && sameAddress(data.accountAddress, address)),
    revokeSession: async (chainId, address) => write(others(chainId, address)),
    getRequired: () => required,
    checksNothing: true,
  }
}

/** 128 bits that nobody guesses. */
function drawNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
