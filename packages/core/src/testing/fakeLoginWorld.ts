import { fakeAdapter } from './fakeAdapter.ts'
import { fakeConnector, type FakeConnector, type FakeConnectorOptions } from './fakeConnector.ts'
import { fakeLogin, type FakeLogin, type FakeLoginOptions } from './fakeLogin.ts'
import { fakeWorld, type FakeWorld, type FakeWorldOptions } from './fakeWorld.ts'
import { manualClock } from './manualClock.ts'

export type FakeLoginWorld = FakeWorld & { login: FakeLogin; connector: FakeConnector }

export type FakeLoginWorldOptions = FakeWorldOptions & { login?: FakeLoginOptions; wallet?: FakeConnectorOptions }

/**
 * Creates an app whose only wallet is an embedded one, in two namespaces.
 *
 * @example const { latchkey, login } = fakeLoginWorld({ login: { known: ['ann@mail.example'] } })
 */
export function fakeLoginWorld({ login: logins, wallet, ...options }: FakeLoginWorldOptions = {}): FakeLoginWorld {
  const clock = options.clock ?? manualClock()
  const login = fakeLogin({ clock, ...logins })
  const connector = fakeConnector({
    id: 'embedded',
    name: 'Email & Socials',
    type: 'embedded',
    namespaces: ['eip155', 'solana'],
    login,
    ...wallet,
  })
  const adapters = [fakeAdapter(), fakeAdapter({ namespace: 'solana' })]
  return { ...fakeWorld({ adapters, connectors: [connector], ...options, clock }), login, connector }
}
