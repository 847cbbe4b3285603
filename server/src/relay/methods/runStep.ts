import { RelayError } from '../errors.ts'

/**
 * Runs one step of a method that has several.
 *
 * @throws RelayError that names the step
 */
export async function runStep<value>(
  name: 'CreateTopicFailed' | 'SubscribeFailed' | 'PublishFailed',
  run: () => value | Promise<value>,
): Promise<value> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    const reason = error.message.replace(/^Internal error: /, '')
    throw new RelayError(-32000, `Internal error: ${reason}`, name)
  }
}
