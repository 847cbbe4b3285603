import { RelayError } from '../errors.ts'

type StepError = 'CreateTopicFailed' | 'SubscribeFailed' | 'PublishFailed'

/**
 * Runs one step of a method that has several.
 *
 * @throws RelayError that names the step
 */
export async function runStep<value>(name: StepError, run: () => value | Promise<value>): Promise<value> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof RelayError ? toStepError(name, error) : error
  }
}

/** Converts the error of a step to one that names the step. */
export function toStepError(name: StepError, { message }: RelayError): RelayError {
  return new RelayError(-32000, `Internal error: ${message.replace(/^Internal error: /, '')}`, name)
}
