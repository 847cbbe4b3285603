import {
  isExcluded,
  type Connector,
  type Latchkey,
  type Login,
  type LoginState,
  type SocialProvider,
} from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useSyncExternalStore } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'

/** A wallet behind an e-mail address or a social account. */
export type LoginConnector = Connector & { readonly login: Login }

/** The first wallet of the app that has logins and works in one of its chain families, or in one of them. */
export function findLogin(latchkey: Latchkey, namespace?: Namespace): LoginConnector | undefined {
  const served = latchkey.adapters.map((adapter) => adapter.namespace)
  return latchkey.connectors
    .getState()
    .filter(hasLogin)
    .find(
      (connector) =>
        connector.namespaces.some((each) => served.includes(each) && each === (namespace ?? each)) &&
        !isExcluded(latchkey, connector),
    )
}

/** The same, followed. */
export function useLogin(namespace?: Namespace): LoginConnector | undefined {
  const latchkey = useLatchkey()
  useStore(latchkey.connectors)
  return findLogin(latchkey, namespace)
}

/** The wallet of a connection, where it is one with logins. */
export function useLoginOf(connectorId: string | undefined): LoginConnector | undefined {
  return useStore(useLatchkey().connectors)
    .filter(hasLogin)
    .find(({ id }) => id === connectorId)
}

/** Who is logged in, and what the wallet waits for. */
export function useLoginState({ state }: Login): LoginState {
  return useSyncExternalStore(state.subscribe, state.get, state.get)
}

/** The social logins that both the app and the deployment want, in the app's order. */
export function socialsOf({ settings }: Latchkey, { login }: LoginConnector): readonly SocialProvider[] {
  const { socials } = settings.features
  return socials === false ? [] : socials.filter((social) => login.socials.includes(social))
}

function hasLogin(connector: Connector): connector is LoginConnector {
  return connector.login !== undefined
}
