import { join } from 'node:path'
import { install } from '../../bin/install.mjs'

const FOLDER = 'test/comparison'

/** What the product is compared with, and the tool that sends the load: a package with a lock of its own. */
export const COMPARISON = join(import.meta.dirname, '../..', FOLDER)

/** Installs what the product is compared with. @throws Error when the registry does not answer. */
export const installComparison = (): void => install(FOLDER)
