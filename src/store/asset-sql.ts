import { BUILDS_KEPT } from "./interface/assets.ts";

/** Of all builds, the earliest build's first; in either engine's SQL, as are the two below. */
export const LIST_FILES = `
SELECT path, integrity FROM asset_files JOIN asset_builds ON asset_builds.id = asset_files.build ORDER BY place, path`;

export const DELETE_EARLY_BUILDS = `
DELETE FROM asset_builds
WHERE id NOT IN (SELECT id FROM asset_builds ORDER BY place DESC LIMIT ${BUILDS_KEPT})
  AND id NOT IN (SELECT asset_build FROM instances WHERE asset_build IS NOT NULL)`;

export const DELETE_UNUSED_CONTENTS = `
DELETE FROM asset_contents WHERE integrity NOT IN (SELECT integrity FROM asset_files)`;
