import type { Connector, Latchkey, Login, LoginState, SocialProvider } from '@latchkey/core'
import { internalsOf, isExcluded } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/protocol'
import { useSyncExternalStore } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'

/** A connector for a wallet that users open by a login. */
export type LoginConnector = Connector & { readonly login: Login }

/** Finds the first connector with a login, of one namespace or of any. */
export function findLogin(
  latchkey: Pick<Latchkey, 'adapters' | 'connectors' | 'internal'>,
  namespace?: Namespace,
): LoginConnector | undefined {
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

/** Like `findLogin`, and updates the component when the connectors change. */
export function useLogin(namespace?: Namespace): LoginConnector | undefined {
  const latchkey = useLatchkey()
  useStore(latchkey.connectors)
  return findLogin(latchkey, namespace)
}

/** Returns the connector of a connection, if it has a login. */
export function useLoginOf(connectorId: string | undefined): LoginConnector | undefined {
  return useStore(useLatchkey().connectors)
    .filter(hasLogin)
    .find(({ id }) => id === connectorId)
}

/** Returns the user who is logged in, and the state of the login. */
export function useLoginState({ state }: Login): LoginState {
  return useSyncExternalStore(state.subscribe, state.get, state.get)
}

/** Returns the social logins that both the app and the deployment offer, in the app's order. */
export function socialsOf(latchkey: Pick<Latchkey, 'internal'>, { login }: LoginConnector): readonly SocialProvider[] {
  const { socials } = internalsOf(latchkey).settings.features
  return socials === false ? [] : socials.filter((social) => login.socials.includes(social))
}

function hasLogin(connector: Connector): connector is LoginConnector {
  return connector.login !== undefined
}
