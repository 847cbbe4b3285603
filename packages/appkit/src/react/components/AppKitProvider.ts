import { createElement, Fragment, useState, type ReactElement, type ReactNode } from 'react'
import { createAppKit } from '../../instance/createAppKit.ts'
import { currentAppKit } from '../../instance/currentAppKit.ts'
import type { AppKitOptions } from '../../options/appKitOptions.ts'

/**
 * Creates the instance for the components below, once. `createAppKit` in module scope does the same without a component.
 *
 * @example
 * import { mainnet } from '@latchkey/appkit/networks'
 * const app = <AppKitProvider networks={[mainnet]} projectId={projectId}><main /></AppKitProvider>
 */
export function AppKitProvider({ children, ...options }: AppKitOptions & { children?: ReactNode }): ReactElement {
  // In strict mode, React calls this twice and keeps the first result.
  useState(() => {
    const { appKit } = currentAppKit.getState()
    return appKit ?? createAppKit(options)
  })
  return createElement(Fragment, undefined, children)
}
