import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of the app's configuration.
 *
 * @example throw configError('config/invalid', { problems: ['networks: at least one is needed'] })
 */
export const configError: ErrorMaker<'adapter/not-found' | 'config/invalid'> = /* @__PURE__ */ createErrors({
  'adapter/not-found': ({ namespace }) =>
    `Adapter not found: no adapter handles "${namespace}". Pass one in createLatchkey({ adapters }).`,
  'config/invalid': ({ problems }) => `The configuration is invalid:\n- ${problems.join('\n- ')}`,
})
