import { fakeWorld, type FakeWorld, type FakeWorldOptions } from '@latchkey/core/fakes'
import { attachModal } from '../attachModal.ts'
import { handleEvent } from '../flows/handleEvent.ts'
import { modalOf, type Modal } from '../modal.ts'

/** An instance on fakes, with its modal attached. */
export type FakeModalWorld = FakeWorld & { modal: Modal }

/**
 * Creates an instance on fakes with its modal attached. It is not started.
 *
 * @example const { latchkey, modal } = fakeModalWorld({ connectors: [fakeConnector()] })
 */
export function fakeModalWorld(options?: FakeWorldOptions): FakeModalWorld {
  const world = fakeWorld(options)
  // Tests control time, so the handlers are in place and never loaded on demand.
  modalOf(world.latchkey).tasks.handleEvent = handleEvent
  attachModal(world.latchkey)
  return { ...world, modal: modalOf(world.latchkey) }
}
