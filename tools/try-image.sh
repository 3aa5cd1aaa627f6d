#!/usr/bin/env bash
# Builds the image and tries it, with Docker or Podman:
#   tools/try-image.sh                                what is checked out
#   ENGINE=podman tools/try-image.sh
#   OLD=<commit> tools/try-image.sh                   and the way from an older version's image to it
# It starts on a read-only root without rights, is healthy, takes a mix, stops, starts again with what it
# had, and is small enough. A site that stands still is started again. Everything that it makes is removed
# at the end, but the images.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ENGINE:-docker}
# Podman's own format knows no health checks.
export BUILDAH_FORMAT=docker
limit_mb=600
name=weekender-try-$$

say() { printf '%s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  "$engine" logs "$name" >&2 || true
  exit 1
}
clean() {
  "$engine" rm --force "$name" > /dev/null 2>&1 || true
  "$engine" volume rm --force "$name" > /dev/null 2>&1 || true
  if [ -n "${old_folder:-}" ]; then rm -rf "$old_folder"; fi
}
trap clean EXIT

build() { # <folder> <tag>
  "$engine" build --file "$1/deploy/Dockerfile" --build-arg "COMMIT=$(git rev-parse --short=12 HEAD)" --tag "$2" "$1"
}

# As deploy/compose.yaml starts it, as a demo with one mix, which ffmpeg encodes.
start() { # <tag> [option…]
  local tag=$1
  shift
  "$engine" run --detach --name "$name" --init --read-only --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges:true --env DEMO_MIXES=1 --volume "$name:/data" "$@" "$tag" > /dev/null
  for _ in $(seq 60); do
    if visit > /dev/null 2>&1; then return; fi
    [ "$("$engine" inspect --format '{{.State.Running}}' "$name")" = true ] || fail "$tag ended by itself."
    sleep 1
  done
  fail "$tag is not healthy after a minute: $(visit 2>&1 || true)"
}

# Another file than the one that starts the site: it looks at the site from inside.
visit() { "$engine" exec --interactive "$name" node --input-type=module - "$@" < tools/try-image-visit.mjs; }
hang() { "$engine" exec --interactive "$name" node --input-type=module - < tools/try-image-hang.mjs; }

wait_for_health() { # <state> <seconds>
  local state
  for _ in $(seq "$2"); do
    state=$("$engine" inspect --format '{{.State.Health.Status}}' "$name")
    if [ "$state" = "$1" ]; then return; fi
    sleep 1
  done
  fail "After $2 seconds its health check says $state and not $1."
}

wait_for_mix() {
  for _ in $(seq 120); do
    if [ -n "$(visit list)" ]; then return; fi
    sleep 1
  done
  fail 'No mix of the demo was ready after two minutes.'
}

stop() {
  "$engine" stop -t 30 "$name" > /dev/null
  code=$("$engine" inspect --format '{{.State.ExitCode}}' "$name")
  [ "$code" = 0 ] || fail "It stopped with $code."
  "$engine" rm "$name" > /dev/null
}

build . weekender-try
# What lies on the disk: engines count in different ways.
size_mb=$("$engine" run --rm --user 0 --entrypoint find weekender-try / -xdev -type f -printf '%s\n' |
  awk '{ sum += $1 } END { printf "%d", sum / 1e6 }')
[ "$size_mb" -le "$limit_mb" ] || fail "The image has $size_mb MB, more than $limit_mb."
say "The image has $size_mb MB of $limit_mb."
for unwanted in vite @tailwindcss/vite typescript rolldown @ffmpeg/core; do
  if "$engine" run --rm --entrypoint test weekender-try -e "node_modules/$unwanted/package.json"; then
    fail "The image has $unwanted."
  fi
done

began=$SECONDS
start weekender-try
say "It started on a read-only root in $((SECONDS - began)) s or less."
wait_for_mix
mix=$(visit upload) || fail 'A mix could not be uploaded.'
say "It took and encoded a mix: $mix."
if "$engine" exec "$name" touch /app/written 2> /dev/null; then fail 'Its root can be written.'; fi
before=$(visit list)
stop
start weekender-try --restart unless-stopped
[ "$(visit list)" = "$before" ] || fail 'After a stop and a start it has other mixes.'
say 'It stopped with 0 and has the same mixes after a start.'
# The health check that compose waits for.
wait_for_health healthy 60
began=$SECONDS
hang
wait_for_health unhealthy 110
say "It stood still, and its health check said so after $((SECONDS - began)) s."
# The process ends itself after two minutes, and the engine starts another one.
wait_for_health healthy 180
restarts=$("$engine" inspect --format '{{.RestartCount}}' "$name")
[ "$restarts" = 1 ] || fail "It was started again $restarts times."
[ "$(visit list)" = "$before" ] || fail 'After it stood still it has other mixes.'
say "It was started again by itself, and healthy after $((SECONDS - began)) s."
stop
"$engine" volume rm "$name" > /dev/null

if [ -n "${OLD:-}" ]; then
  old_folder=$(mktemp -d)
  git archive "$OLD" | tar x -C "$old_folder"
  build "$old_folder" weekender-try-old
  start weekender-try-old
  wait_for_mix
  visit upload > /dev/null || fail "$OLD took no mix."
  before=$(visit list)
  stop
  start weekender-try
  [ "$(visit list)" = "$before" ] || fail "After the upgrade from $OLD it has other mixes."
  stop
  say "It goes on with the data of $OLD."
fi
