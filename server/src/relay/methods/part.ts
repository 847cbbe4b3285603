import { RelayError } from '../errors.ts'

/**
 * Does one part of a method that does several things.
 *
 * @throws RelayError that names the part, when the part is refused
 */
export async function partOf<value>(
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
